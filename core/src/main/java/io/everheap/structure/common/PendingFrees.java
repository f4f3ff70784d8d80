package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.StaleReferenceException;
import java.util.concurrent.locks.LockSupport;

/**
 * A durable list of what no structure leads to any more: tables of maps, and what a {@link Freer}
 * frees. Its blocks are freed in small transactions in the background. So removing or clearing a
 * structure of any size is one short transaction. A crash between two steps loses nothing: the list
 * says how far it came.
 *
 * <pre>
 * catalog word {@value #CATALOG_WORD}: reference of the first entry, or 0
 * entry
 *  0  block header
 *  8  reference of the next entry
 * 16  directory reference                                      or root
 * 24  number of buckets                                        or 0
 * 32  kinds, as in the map's header                            or number of the freer, in bits 32-63
 * 40  cursor: the first bucket that may still have nodes       or 0
 * </pre>
 *
 * <p>Segments that lie wholly before the cursor have been freed.
 */
public final class PendingFrees {
  /** The catalog word that holds the first entry of the list. */
  public static final int CATALOG_WORD = 15;

  public static final int NEXT = 8;
  public static final int DIRECTORY = 16;
  public static final int BUCKETS = 24;
  public static final int KINDS = 32;
  public static final int CURSOR = 40;
  public static final int ENTRY_BYTES = 40;
  public static final int FREER_SHIFT = 32;

  /** Nodes and empty buckets that one step goes through. */
  private static final int STEP = 512;

  private static final long PAUSE_NANOS = 20_000;

  private final StructureContext heap;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final long list;

  /**
   * The list of a heap.
   *
   * @param heap the heap
   */
  public PendingFrees(StructureContext heap) {
    this.heap = heap;
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.list = heap.catalog(CATALOG_WORD);
  }

  /** Has the housekeeping thread free what is on the list; call it after opening a heap. */
  public void resume() {
    if (memory.getLong(list) != Reference.NULL) {
      schedule();
    }
  }

  private void schedule() {
    heap.housekeeping(this::run);
  }

  /** Frees everything on the list, in steps of one transaction each, unless the heap is closed. */
  public void run() {
    while (!heap.stopping() && step()) {
      LockSupport.parkNanos(PAUSE_NANOS); // writers that wait for their turn get it
    }
  }

  /**
   * Puts what a root leads to on the list, inside a transaction; it is freed some time after it.
   *
   * @param freer number of who frees it
   */
  public void add(int freer, long root) {
    add(root, 0, (long) freer << FREER_SHIFT);
  }

  /** Puts a table on the list, inside a transaction; its blocks are freed some time after it. */
  public void add(long directory, long buckets, long kinds) {
    long entry = allocator.allocateRaw(BlockType.PENDING_FREE, ENTRY_BYTES);
    long at = Reference.address(entry);
    memory.initLong(at + NEXT, memory.getLong(list));
    memory.initLong(at + DIRECTORY, directory);
    memory.initLong(at + BUCKETS, buckets);
    memory.initLong(at + KINDS, kinds);
    memory.initLong(at + CURSOR, 0);
    memory.putLong(Stripes.NONE, list, entry);
    heap.transactions().onCommit(this::schedule);
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
    long directory = memory.getLong(at + DIRECTORY);
    long buckets = memory.getLong(at + BUCKETS);
    long kinds = memory.getLong(at + KINDS);
    long cursor = memory.getLong(at + CURSOR);
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
    return new Table(at, directory, buckets, cursor, nodes, memory.getLong(at + NEXT));
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
    } catch (StaleReferenceException e) {
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
    requireBlock(at, entry, BlockType.PENDING_FREE, ENTRY_BYTES);
    int freer = (int) (memory.getLong(at + KINDS) >>> FREER_SHIFT);
    if (freer == 0) {
      freeTable(entry);
      return;
    }
    long next = memory.getLong(at + NEXT);
    long left = freer(at, freer).step(heap, memory.getLong(at + DIRECTORY), STEP);
    if (left != 0) {
      memory.putLong(Stripes.NONE, at + DIRECTORY, left);
    } else {
      memory.putLong(Stripes.NONE, list, next);
      allocator.free(Stripes.NONE, entry, BlockType.PENDING_FREE);
    }
  }

  private Freer freer(long at, int number) {
    Freer freer = heap.freers().of(number);
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
      memory.putLong(Stripes.NONE, table.at + CURSOR, bucket);
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
