package io.everheap.block.store;

import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.BlockSearch;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptException;
import io.everheap.memory.MappedFaults;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lists the raw blocks of a heap in the order of their addresses. It reads the blocks of a chunk in
 * one consistent read, when it comes to the first of them. So a block that exists all the time is
 * listed once, and one that is allocated or freed meanwhile may be.
 *
 * <p>Not thread-safe.
 */
public final class BlockList {
  private final BlockStore store;
  private final BlockSearch search;

  /** Reference and size of each block of the chunk. */
  private long[] found = new long[64];

  private int count;
  private int next = -2;
  private int chunk;

  /** The first problem that the last read met, or null. */
  private @Nullable String problem;

  /** Creates a list that stands before the first block. */
  public BlockList(BlockStore store) {
    this.store = store;
    this.search = new BlockSearch(store.memory, store.heap.extentShift());
  }

  /**
   * Moves to the next block; false if there is none.
   *
   * @throws CorruptException if the tables of the allocator are damaged
   */
  public boolean advance() {
    next += 2;
    while (next >= count && chunk >= 0) {
      chunk = read();
      next = 0;
    }
    return next < count;
  }

  /** The block that the list stands at. */
  public long reference() {
    return found[next];
  }

  /** The size of this block in bytes. */
  public long size() {
    return found[next + 1];
  }

  /** Reads the blocks of a chunk; returns the number of the next chunk, or -1 after the last. */
  private int read() {
    store.tx.requireReadable();
    try {
      return store.tx.read(this::attempt);
    } catch (InternalError e) {
      throw store.tx.faulted(e);
    }
  }

  private int attempt() {
    count = 0;
    problem = null;
    int chunks =
        (int) (store.memory.getLong(HomeLayout.CAPACITY_ADDRESS) >>> HomeLayout.CHUNK_SHIFT);
    if (chunk >= chunks) {
      return -1;
    }
    int first = search.skipRest(chunk, chunks); // of a block that was allocated since the last read
    int visited =
        first < chunks ? search.visit(first, chunks, address -> false, new RawBlocks()) : 0;
    MappedFaults.arrive();
    store.tx.checkRead();
    String damage = problem;
    // Until the running transaction commits, tables and headers of its freed blocks disagree.
    if (damage != null && !store.tx.isWriter()) {
      throw CorruptException.heap("The raw blocks cannot be listed: " + damage);
    }
    return first + visited;
  }

  private final class RawBlocks implements AllocationVisitor {
    @Override
    public void block(long reference, int type, long size) {
      if (type == BlockType.RAW) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = reference;
        found[count++] = size;
      }
    }

    @Override
    public void problem(long address, String message) {
      if (problem == null) {
        problem = message;
      }
    }
  }
}
