package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.DiskFullException;
import io.everheap.error.FullException;

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

  /** Lets the housekeeping thread free what is on the list; called when a heap was opened. */
  public void resume() {
    heap.transactions().room().madeBy(heap::finishFrees);
    if (memory.getLong(list) != Reference.NULL) {
      heap.scheduleFrees();
    }
  }

  /**
   * Puts what a root leads to on the list, inside a transaction; it is freed some time after it.
   *
   * @param freer number of the {@link Freer}
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
    heap.transactions().onCommit(heap::scheduleFrees);
  }

  /**
   * Runs a body that hands a removed part over to the background, or undoes it if there is no space
   * for that: a removal must not need space, since it is how a heap gets some.
   *
   * @return false if there is no space
   */
  public static boolean tryRun(StructureContext heap, Runnable body) {
    Transactions tx = heap.transactions();
    boolean ok = false;
    tx.begin();
    try {
      body.run();
      ok = true;
    } catch (FullException | DiskFullException e) {
      return false;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
    return true;
  }
}
