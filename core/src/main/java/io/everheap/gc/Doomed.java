package io.everheap.gc;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.StoreBarrier;
import io.everheap.error.StaleReferenceException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one collection knows of blocks, and what transactions report to it meanwhile. A block is
 * live if the marking found it, or if it was allocated since the marking began. A reference that a
 * transaction stores while the marking goes on is marked as well, since the program may have had it
 * from elsewhere than the heap. Once the marking is over, all that is not live is as good as freed:
 * no reference to it can be stored any more.
 *
 * <p>All but {@link #marks} and {@link #isLive} is for the thread that holds the writer lock.
 */
final class Doomed implements StoreBarrier {
  private final MarkBits marks;
  private final MarkBits young;
  private final MarkBits seen;
  private final @Nullable Growth growth;
  private @Nullable Doomed before;
  private long[] stored = new long[64];
  private int count;
  private boolean decided;

  /**
   * Nothing is known yet.
   *
   * @param before what a collection that did not end knew, or null
   * @param growth counts allocations, or null
   */
  Doomed(long capacity, @Nullable Doomed before, @Nullable Growth growth) {
    this.growth = growth;
    this.marks = new MarkBits(capacity);
    this.young = new MarkBits(capacity);
    this.seen = new MarkBits(capacity);
    this.before = before;
  }

  /** What the marking found. */
  MarkBits marks() {
    return marks;
  }

  /** Whether a block is live, once that is decided. */
  boolean isLive(long reference) {
    return marks.contains(reference) || young.contains(reference);
  }

  /** Whether the block at an address is live, once that is decided. */
  boolean isLiveAt(long address) {
    return marks.containsAddress(address) || young.containsAddress(address);
  }

  @Override
  public void allocated(long reference, long bytes) {
    add(reference);
    if (growth != null) {
      growth.allocated(reference, bytes);
    }
  }

  private void add(long reference) {
    young.add(reference);
    if (before != null) {
      before.add(reference);
    }
  }

  @Override
  public void stored(long reference) {
    if (before != null) {
      before.stored(reference);
    }
    if (isLive(reference)) {
      return;
    }
    if (decided) {
      throw new StaleReferenceException(
          "The reference "
              + Reference.describe(reference)
              + " is stale: nothing led to it when Heap.collect looked for what can be freed.");
    }
    if (seen.add(reference)) {
      if (count == stored.length) {
        stored = Arrays.copyOf(stored, 2 * count);
      }
      stored[count++] = reference;
    }
  }

  /** Takes the references that were stored and are still to be marked. */
  long[] takeStored() {
    long[] taken = Arrays.copyOf(stored, count);
    count = 0;
    return taken;
  }

  /** The marking is over: what is not live now never will be. */
  void decide() {
    decided = true;
    before = null; // what it had to free is not live either
  }

  /** Whether a block that is there now is to be freed. */
  boolean isDoomed(Allocator allocator, long reference) {
    return !isLive(reference) && allocator.find(reference) != 0;
  }
}
