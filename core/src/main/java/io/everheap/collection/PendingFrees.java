package io.everheap.collection;

import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import java.util.concurrent.locks.LockSupport;

/**
 * A durable list of tables that no map leads to any more, and whose blocks are freed in small
 * transactions in the background. So removing or clearing a map of any size is one short
 * transaction. A crash between two steps loses nothing: the list says how far it came.
 *
 * <pre>
 * catalog word {@value #CATALOG_WORD}: reference of the first entry, or 0
 * entry
 *  0  block header
 *  8  reference of the next entry
 * 16  directory reference
 * 24  number of buckets
 * 32  kinds, as in the map's header
 * 40  cursor: the first bucket that may still have nodes
 * </pre>
 *
 * <p>Segments that lie wholly before the cursor have been freed.
 */
public final class PendingFrees {
  /** The catalog word that holds the first entry of the list. */
  public static final int CATALOG_WORD = 15;

  static final int NEXT = 8;
  static final int DIRECTORY = 16;
  static final int BUCKETS = 24;
  static final int KINDS = 32;
  static final int CURSOR = 40;
  static final int ENTRY_BYTES = 40;

  /** Nodes and empty buckets that one step goes through. */
  private static final int STEP = 512;

  private static final long PAUSE_NANOS = 20_000;

  private final Engine engine;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final long list;

  /**
   * The list of a heap.
   *
   * @param engine of the heap
   */
  public PendingFrees(Engine engine) {
    this.engine = engine;
    this.memory = engine.memory();
    this.allocator = engine.allocator();
    this.list = engine.catalog(CATALOG_WORD);
  }

  /** Has the housekeeping thread free what is on the list; call it after opening a heap. */
  public void resume() {
    if (memory.getLong(list) != Reference.NULL) {
      schedule();
    }
  }

  private void schedule() {
    engine.housekeeping(this::run);
  }

  /** Frees everything on the list, in steps of one transaction each, unless the heap is closed. */
  public void run() {
    while (!engine.stopping() && step()) {
      LockSupport.parkNanos(PAUSE_NANOS); // writers that wait for their turn get it
    }
  }

  /** Puts a table on the list, inside a transaction; its blocks are freed some time after it. */
  void add(long directory, long buckets, long kinds) {
    long entry = allocator.allocateRaw(BlockType.PENDING_FREE, ENTRY_BYTES);
    long at = Reference.address(entry);
    memory.initLong(at + NEXT, memory.getLong(list));
    memory.initLong(at + DIRECTORY, directory);
    memory.initLong(at + BUCKETS, buckets);
    memory.initLong(at + KINDS, kinds);
    memory.initLong(at + CURSOR, 0);
    memory.putLong(Stripes.NONE, list, entry);
    engine.transactions().onCommit(this::schedule);
  }

  /**
   * Frees a bounded number of blocks in one transaction, without waiting for its durability.
   *
   * @return whether there may be more to free
   */
  public boolean step() {
    Transactions tx = engine.transactions();
    boolean ok = false;
    tx.begin();
    try {
      tx.wantSync(false);
      long entry = memory.getLong(list);
      if (entry != Reference.NULL) {
        free(entry);
      }
      ok = true;
      return entry != Reference.NULL;
    } finally {
      tx.end(ok);
    }
  }

  private void free(long entry) {
    long at = Reference.address(entry);
    long directory = memory.getLong(at + DIRECTORY);
    long buckets = memory.getLong(at + BUCKETS);
    NodeStore nodes = nodes(memory.getLong(at + KINDS));
    long bucket = memory.getLong(at + CURSOR);
    int left = STEP;
    while (bucket < buckets && left > 0) {
      long segment = memory.getLong(MapLayout.segmentSlot(directory, bucket));
      left = freeChain(nodes, MapLayout.bucketSlot(segment, bucket), left);
      if (left > 0) {
        bucket++;
        left--;
        if ((bucket & (MapLayout.SEGMENT_BUCKETS - 1)) == 0 || bucket == buckets) {
          allocator.free(Stripes.NONE, segment);
        }
      }
    }
    if (bucket < buckets) {
      memory.putLong(Stripes.NONE, at + CURSOR, bucket);
    } else {
      memory.putLong(Stripes.NONE, list, memory.getLong(at + NEXT));
      allocator.free(Stripes.NONE, directory);
      allocator.free(Stripes.NONE, entry);
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

  private NodeStore nodes(long kinds) {
    return new NodeStore(
        memory,
        allocator,
        (kinds & MapLayout.WORD_KEYS) != 0,
        (kinds & MapLayout.WORD_VALUES) != 0);
  }
}
