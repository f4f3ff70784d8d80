package io.everheap.check;

import io.everheap.block.store.Handles;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport.RawBlock;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.StructureContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Finds raw blocks whose handle is nowhere in the heap. The places of handles are not known, so
 * each eight bytes of a payload that are the handle of a raw block, at any offset and in either
 * byte order, count as leading to it. {@link Handles} says with which probability another number is
 * mistaken for a handle, so that an unreferenced block is missed.
 *
 * <p>Roots, and all blocks that are not raw, are searched; a raw block without a name is searched
 * when its handle was found, so a list of blocks that nothing leads to is found whole. A handle is
 * not found that a program keeps outside of the heap, in a region, in another form, or across the
 * border of two parts of a large value.
 *
 * <p>Used by one thread, once, which keeps writers out. Nothing in the heap is trusted.
 */
final class HandleSearch {
  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes that are loaded at a time. */
  private static final int PIECE = 1 << 16;

  private static final int OVERLAP = Long.BYTES - 1;

  private final StructureContext heap;
  private final HeapMemory memory;
  private final Handles handles;
  private final long capacity;
  private final BlockSet unnamed;
  private final BlockSet missing;
  private final byte[] piece = new byte[PIECE + OVERLAP];
  private long left;
  private long[] waiting = new long[64];
  private int count;
  private boolean incomplete;

  HandleSearch(StructureContext heap) {
    this.heap = heap;
    this.memory = heap.memory();
    this.handles = Handles.of(heap);
    this.capacity = memory.getLong(HomeLayout.CAPACITY_ADDRESS);
    this.unnamed = new BlockSet(capacity);
    this.missing = new BlockSet(capacity);
  }

  /** Adds a raw block that is no root. */
  void add(long reference) {
    unnamed.add(reference);
    if (missing.add(reference)) {
      left++;
    }
  }

  /**
   * Searches the heap for the handles of the added blocks; reads nothing if there are none.
   *
   * @param found receives each block whose handle was not found
   * @return whether all bytes could be read; otherwise nothing is passed to {@code found}
   */
  boolean run(VerifyProgress progress, Consumer<RawBlock> found) {
    if (left > 0) {
      new AllocationWalker(memory, heap.extentShift()).walk(new Search(progress));
    }
    if (!incomplete) {
      missing.forEach(address -> found.accept(block(address)));
    }
    return !incomplete;
  }

  private RawBlock block(long address) {
    long reference = Reference.withGenerationOf(address, memory.getLong(address));
    return new RawBlock(handles.handle(reference), size(reference), address);
  }

  /** Searches all blocks except raw ones without a name, which wait until they are found. */
  private final class Search implements AllocationVisitor {
    private final VerifyProgress progress;

    Search(VerifyProgress progress) {
      this.progress = progress;
    }

    @Override
    public void chunk(int chunk, int chunks) {
      progress.update("handles of raw blocks", 1);
    }

    @Override
    public void block(long reference, int type, long size) {
      if (left > 0 && !unnamed.contains(reference)) {
        search(reference, size);
        while (count > 0 && left > 0) {
          long next = waiting[--count];
          search(next, size(next));
        }
      }
    }

    @Override
    public void problem(long address, String message) {
      incomplete = true; // the comparison of the allocator's blocks with the owned ones reported it
    }
  }

  private void search(long reference, long size) {
    long end = Reference.payload(reference) + size;
    try {
      for (long at = Reference.payload(reference); at < end && left > 0; at += PIECE) {
        int length = (int) Math.min(piece.length, end - at);
        memory.copyOut(at, piece, 0, length);
        for (int i = 0; i <= length - Long.BYTES; i++) {
          long word = (long) LITTLE.get(piece, i);
          if (word != 0) {
            follow(handles.reference(word));
            follow(handles.reference(Long.reverseBytes(word)));
          }
        }
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      incomplete = true;
    }
  }

  /** The size of a block, or 0 if its header or chunk is damaged, which is reported elsewhere. */
  private long size(long reference) {
    try {
      return heap.allocator().size(reference);
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      incomplete = true;
      return 0;
    }
  }

  private void follow(long reference) {
    if (Reference.address(reference) < capacity
        && missing.contains(reference)
        && heap.allocator().find(reference) != 0) {
      missing.remove(reference);
      left--;
      if (count == waiting.length) {
        waiting = Arrays.copyOf(waiting, 2 * count);
      }
      waiting[count++] = reference;
    }
  }
}
