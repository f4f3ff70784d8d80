package io.everheap.structure.bytes;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import java.util.function.LongUnaryOperator;

/**
 * A block of one or a few words that are read and changed together.
 *
 * <pre>
 * atomic long, counter       reference
 *  0  block header            0  block header
 *  8  value                   8  number of the type of the value
 *                            16  0: there is no value; 1: it is its word; 2: it is in a cell
 *                            24  word that stands for the value
 * </pre>
 */
public final class AtomicCell {
  static final int VALUE = 8;

  /** Payload bytes of an atomic long and of a counter. */
  public static final int LONG_BYTES = 8;

  public static final int REFERENCE_TYPE = 8;
  public static final int REFERENCE_PRESENT = 16;
  public static final int REFERENCE_VALUE = 24;

  /** Payload bytes of a reference. */
  public static final int REFERENCE_BYTES = 24;

  public final StructureContext heap;
  public final HeapMemory memory;
  public final Transactions tx;
  public final OptimisticReads reads;
  public final long reference;
  public final long header;
  public final int stripe;
  private final long headerWord;

  /** Attaches to a block that exists, or was freed: then {@link #checkAlive} throws. */
  public AtomicCell(StructureContext heap, long reference, int type, int bytes) {
    this.heap = heap;
    this.memory = heap.memory();
    this.tx = heap.transactions();
    this.reads = new OptimisticReads(memory, tx);
    this.reference = reference;
    long at = Reference.address(reference);
    long word;
    try {
      word =
          reads.read(
              new Guard(heap.stripes(), stripe(at)),
              guard -> {
                requireType(heap, reference, type, bytes);
                return memory.getLong(Reference.address(reference));
              });
    } catch (GoneException e) {
      at = 0; // where a word can always be loaded
      word = ~memory.getLong(at);
    }
    this.header = at;
    this.headerWord = word;
    this.stripe = stripe(at);
  }

  private static int stripe(long header) {
    return MapLayout.stripe(MapLayout.stripeBase(header), header >>> 6);
  }

  /** Checks that a reference leads to such a block, under a guard. */
  public static void requireType(StructureContext heap, long reference, int type, int bytes) {
    if (heap.allocator().type(reference) != type || heap.allocator().size(reference) < bytes) {
      throw Damage.at(Reference.address(reference), "no block of type " + type);
    }
  }

  public void checkAlive() {
    if (memory.getLong(header) != headerWord) {
      throw GoneException.reference(
          "what was at " + Reference.describe(reference) + " was removed from its heap");
    }
  }

  public Guard guard() {
    return new Guard(heap.stripes(), stripe);
  }

  /** The value of an atomic long. */
  public long get() {
    return reads.read(
        guard(),
        guard -> {
          checkAlive();
          return memory.getLong(header + VALUE);
        });
  }

  /** Changes the value of an atomic long and returns the one before. */
  public long exchange(LongUnaryOperator change) {
    boolean ok = false;
    tx.begin();
    try {
      checkAlive();
      long old = memory.getLong(header + VALUE);
      long value = change.applyAsLong(old);
      checkAlive(); // the function may have freed it
      if (value != old || memory.stored(header + VALUE) >= 0) {
        memory.putLong(stripe, header + VALUE, value);
      }
      ok = true;
      return old;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }
}
