package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.GoneException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Frees what is on the list of {@link PendingFrees}, in small transactions: what the housekeeping
 * thread runs.
 */
public final class FreesTask {
  /** Nodes and empty buckets that one step goes through. */
  private static final int STEP = 512;

  private static final long PAUSE_NANOS = 20_000;

  private final StructureContext heap;
  private final List<Freer> freers;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final long list;

  /**
   * What frees the pending blocks of a heap.
   *
   * @param freers of all kinds
   */
  public FreesTask(StructureContext heap, List<Freer> freers) {
    this.heap = heap;
    this.freers = freers;
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.list = heap.catalog(PendingFrees.CATALOG_WORD);
  }

  /** Frees everything on the list, in steps of one transaction each, unless the heap is closed. */
  public void run() {
    while (!heap.stopping() && step()) {
      LockSupport.parkNanos(PAUSE_NANOS); // writers that wait for their turn get it
    }
  }

  /**
   * Frees a bounded number of blocks in one transaction, without waiting for its durability; none
   * while there is a snapshot, which would have to keep them.
   *
   * @return whether there may be more to free
   */
  public boolean step() {
    Transactions tx = heap.transactions();
    boolean ok = false;
    tx.begin();
    try {
      tx.wantSync(false);
      long entry = tx.hasSnapshot() ? Reference.NULL : memory.getLong(list);
      if (entry != Reference.NULL) {
        free(entry);
      }
      ok = true;
      return entry != Reference.NULL;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /** A table on the list, whose numbers were compared with the blocks that there are. */
  private record Table(
      long at, long directory, long buckets, long cursor, NodeStore nodes, long next) {

    /** Number of the buckets that lie in the same segment as {@code bucket}, and before its end. */
    long segmentEnd(long bucket) {
      return Math.min(buckets, (bucket | (MapLayout.SEGMENT_BUCKETS - 1)) + 1);
    }
  }

  private Table table(long entry) {
    long at = Reference.address(entry);
    long directory = memory.getLong(at + PendingFrees.DIRECTORY);
    long buckets = memory.getLong(at + PendingFrees.BUCKETS);
    long kinds = memory.getLong(at + PendingFrees.KINDS);
    long cursor = memory.getLong(at + PendingFrees.CURSOR);
    boolean wordKeys = (kinds & MapLayout.WORD_KEYS) != 0;
    boolean wordValues = (kinds & MapLayout.WORD_VALUES) != 0;
    if (buckets < MapLayout.INITIAL_BUCKETS
        || buckets > MapLayout.MAX_BUCKETS
        || cursor < 0
        || cursor > buckets
        || kinds != MapLayout.kinds(wordKeys, wordValues)) {
      throw Damage.at(
          at, "a pending free of " + buckets + " buckets from " + cursor + ", kinds " + kinds);
    }
    requireBlock(at, directory, BlockType.MAP_DIRECTORY, MapLayout.segments(buckets) << 3);
    NodeStore nodes = new NodeStore(memory, allocator, wordKeys, wordValues);
    return new Table(at, directory, buckets, cursor, nodes, memory.getLong(at + PendingFrees.NEXT));
  }

  /** The segment with a bucket. */
  private long segment(Table table, long bucket) {
    long segment = memory.getLong(MapLayout.segmentSlot(table.directory, bucket));
    long index = bucket >>> MapLayout.SEGMENT_SHIFT;
    long bytes = MapLayout.segmentCapacity(index, table.buckets) * 8L;
    requireBlock(table.at, segment, BlockType.MAP_SEGMENT, bytes);
    return segment;
  }

  private void requireBlock(long at, long reference, int type, long bytes) {
    try {
      if (allocator.type(reference) == type && allocator.size(reference) >= bytes) {
        return;
      }
    } catch (GoneException e) {
      // named below
    }
    throw Damage.at(
        at,
        "a pending free names "
            + Reference.describe(reference)
            + ", no block of type "
            + type
            + " and "
            + bytes
            + " bytes");
  }

  private void free(long entry) {
    long at = Reference.address(entry);
    requireBlock(at, entry, BlockType.PENDING_FREE, PendingFrees.ENTRY_BYTES);
    int freer = (int) (memory.getLong(at + PendingFrees.KINDS) >>> PendingFrees.FREER_SHIFT);
    if (freer == 0) {
      freeTable(entry);
      return;
    }
    long next = memory.getLong(at + PendingFrees.NEXT);
    long left = freer(at, freer).step(heap, memory.getLong(at + PendingFrees.DIRECTORY), STEP);
    if (left != 0) {
      memory.putLong(Stripes.NONE, at + PendingFrees.DIRECTORY, left);
    } else {
      memory.putLong(Stripes.NONE, list, next);
      allocator.free(Stripes.NONE, entry, BlockType.PENDING_FREE);
    }
  }

  private Freer freer(long at, int number) {
    Freer freer = Freer.of(freers, number);
    if (freer == null) {
      throw Damage.at(at, "a pending free of unknown kind " + number);
    }
    return freer;
  }

  private void freeTable(long entry) {
    Table table = table(entry);
    long bucket = table.cursor;
    int left = STEP;
    while (bucket < table.buckets && left > 0) {
      long segment = segment(table, bucket);
      long end = table.segmentEnd(bucket);
      while (bucket < end && left > 0) {
        left = freeChain(table.nodes, MapLayout.bucketSlot(segment, bucket), left);
        if (left > 0) {
          bucket++;
          left--;
        }
      }
      if (bucket == end) {
        allocator.free(Stripes.NONE, segment, BlockType.MAP_SEGMENT);
      }
    }
    if (bucket < table.buckets) {
      memory.putLong(Stripes.NONE, table.at + PendingFrees.CURSOR, bucket);
    } else {
      memory.putLong(Stripes.NONE, list, table.next);
      allocator.free(Stripes.NONE, table.directory, BlockType.MAP_DIRECTORY);
      allocator.free(Stripes.NONE, entry, BlockType.PENDING_FREE);
    }
  }

  /**
   * Frees up to {@code left} nodes from the head of a chain; returns what is left of that number.
   */
  private int freeChain(NodeStore nodes, long slot, int left) {
    long link = memory.getLong(slot);
    while (link != 0 && left > 0) {
      long node = NodeLayout.node(link);
      link = nodes.next(node);
      nodes.free(Stripes.NONE, node);
      left--;
    }
    if (left == 0) {
      memory.putLong(Stripes.NONE, slot, link);
    }
    return left;
  }
}
