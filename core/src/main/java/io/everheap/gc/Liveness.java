package io.everheap.gc;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.StoreBarrier;
import io.everheap.error.GoneException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The liveness of blocks in one collection, and its store barrier. A block is live if the marker
 * reached it or if it was allocated since the marking began. A reference that a transaction stores
 * during the marking is recorded and marked as well, since the program may hold it outside of the
 * heap. When the marking is finished, every other block counts as freed: the barrier refuses
 * references to it.
 *
 * <p>{@link #marks}, {@link #isLive} and {@link #isLiveAt} are also for the collecting thread; all
 * else is for the thread that holds the writer lock.
 */
final class Liveness implements StoreBarrier {
  private final MarkBits marks;
  private final MarkBits allocatedSince;
  private final MarkBits seen;
  private final @Nullable Growth growth;
  private @Nullable Liveness previous;
  private long[] stored = new long[64];
  private int count;
  private boolean markingFinished;

  /**
   * Creates the state at the beginning of a marking.
   *
   * @param capacity of the home image, in bytes
   * @param previous the liveness of a collection whose sweep did not complete, or null; its barrier
   *     stays in force until this marking is finished
   * @param growth counts allocations, or null
   */
  Liveness(long capacity, @Nullable Liveness previous, @Nullable Growth growth) {
    this.growth = growth;
    this.marks = new MarkBits(capacity);
    this.allocatedSince = new MarkBits(capacity);
    this.seen = new MarkBits(capacity);
    this.previous = previous;
  }

  /** The blocks that the marker reached. */
  MarkBits marks() {
    return marks;
  }

  /** Whether a block is live; final for dead blocks once the marking is finished. */
  boolean isLive(long reference) {
    return marks.contains(reference) || allocatedSince.contains(reference);
  }

  /** Like {@link #isLive}, for the block at an address. */
  boolean isLiveAt(long address) {
    return marks.containsAddress(address) || allocatedSince.containsAddress(address);
  }

  @Override
  public void allocated(long reference, long bytes) {
    add(reference);
    if (growth != null) {
      growth.allocated(reference, bytes);
    }
  }

  private void add(long reference) {
    allocatedSince.add(reference);
    if (previous != null) {
      previous.add(reference);
    }
  }

  @Override
  public void stored(long reference) {
    if (previous != null) {
      previous.stored(reference);
    }
    if (isLive(reference)) {
      return;
    }
    if (markingFinished) {
      throw GoneException.reference(
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

  /** Removes and returns the recorded references that are still to be marked. */
  long[] takeStored() {
    long[] taken = Arrays.copyOf(stored, count);
    count = 0;
    return taken;
  }

  /** Ends the marking: a block that is not live now stays dead. */
  void finishMarking() {
    markingFinished = true;
    previous = null; // its dead blocks are dead in this one too
  }

  /** Whether a reference leads to an allocated block that is to be freed. */
  boolean isGarbage(Allocator allocator, long reference) {
    return !isLive(reference) && allocator.find(reference) != 0;
  }
}
