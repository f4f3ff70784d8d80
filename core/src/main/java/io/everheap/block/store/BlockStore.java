package io.everheap.block.store;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.bytes.HeapBytes;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.memory.MappedFaults;
import java.util.function.LongSupplier;

/**
 * The raw blocks of one heap as references: finds them, checks that they are there, and reads them
 * consistently.
 *
 * <p>Safe for use by many threads.
 */
public final class BlockStore {

  /** Optimistic attempts before a read takes the writer lock. */
  private static final int MAX_ATTEMPTS = 64;

  /** The heap. */
  public final HeapContext heap;

  /** Loads and stores of words. */
  public final HeapMemory memory;

  /** The transactions of the heap. */
  public final Transactions tx;

  /** The versions that optimistic readers validate. */
  public final Stripes stripes;

  /** All blocks of the heap. */
  public final Allocator allocator;

  /** Loads and stores of bytes at any address. */
  public final HeapBytes bytes;

  private final Handles handles;

  /** Creates the access to the raw blocks of a heap. */
  public BlockStore(HeapContext heap) {
    this.heap = heap;
    this.memory = heap.memory();
    this.tx = heap.transactions();
    this.stripes = heap.stripes();
    this.allocator = heap.allocator();
    this.bytes = new HeapBytes(memory);
    this.handles = Handles.of(heap);
  }

  /** Returns the handle of a block: the number that programs keep. */
  public long handle(long reference) {
    return handles.handle(reference);
  }

  /** Returns the stripe that readers of a block validate. */
  public static int stripe(long reference) {
    long mixed = Reference.address(reference) * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 40) & (Stripes.COUNT - 1);
  }

  /** Returns the reference of a handle; for any other number, one that leads to no block. */
  public long reference(long handle) {
    return handles.reference(handle);
  }

  /**
   * Returns the size of the block that a handle names.
   *
   * @throws GoneException if there is none
   */
  public long sizeOf(long handle) {
    try {
      return size(reference(handle));
    } catch (GoneException e) {
      throw GoneException.reference(
          "The heap at "
              + heap.location()
              + " has no block with the handle "
              + handle
              + ": it was freed, or allocated in a transaction that was rolled back, or the handle"
              + " is that of another heap. "
              + e.getMessage());
    }
  }

  /** Whether a reference leads to a block. */
  public boolean isThere(long reference) {
    try {
      return size(reference) >= 0;
    } catch (GoneException e) {
      return false;
    }
  }

  /**
   * Returns the size of the block that a reference leads to.
   *
   * @throws GoneException if there is none
   */
  public long size(long reference) {
    int stripe = stripe(reference);
    return read(
        stripe,
        () -> {
          if (allocator.type(reference) != BlockType.RAW) {
            throw GoneException.reference(
                "The reference "
                    + Reference.describe(reference)
                    + " is that of another structure.");
          }
          long size = allocator.size(reference);
          if (size < 0) {
            throw CorruptException.heap(
                "The block " + Reference.describe(reference) + " has " + size + " bytes.");
          }
          return size;
        });
  }

  /** Allocates a block in the running transaction. */
  public long allocate(long bytes) {
    return allocator.allocate(BlockType.RAW, bytes);
  }

  /**
   * Checks that a block is still there.
   *
   * @throws GoneException if it was freed
   */
  public void requireLive(long reference) {
    allocator.check(reference);
  }

  /** Runs loads optimistically, until all of them see the same commit; the load may run again. */
  public long read(int stripe, LongSupplier load) {
    for (int i = 0; i < MAX_ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      long value;
      try {
        value = load.getAsLong(); // without MappedFaults.arrive, as reads of fields
      } catch (InternalError e) {
        throw tx.faulted(e);
      } catch (RuntimeException e) {
        if (e instanceof EverheapException && stripes.valid(stripe, version)) {
          tx.checkRead();
          throw e;
        }
        break; // a commit may have intervened; otherwise the exclusive read throws it again
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        return value;
      }
    }
    return readExclusively(load);
  }

  private long readExclusively(LongSupplier load) {
    if (tx.isWriter()) {
      return load.getAsLong();
    }
    try {
      return tx.exclusively(
          () -> {
            long value = load.getAsLong();
            MappedFaults.arrive();
            tx.checkRead();
            return value;
          });
    } catch (InternalError e) {
      throw tx.faulted(e);
    } catch (IndexOutOfBoundsException | NullPointerException | IllegalStateException e) {
      tx.requireReadable();
      throw CorruptException.heap("A handle leads outside of the home image (" + e + ").");
    }
  }

  /** Runs a body as a transaction, or nested in the running one. */
  public void transact(Runnable body) {
    boolean ok = false;
    tx.begin();
    try {
      body.run();
      ok = true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }
}
