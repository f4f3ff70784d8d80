package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/** What a file medium maps privately. */
final class PrivateRegion extends Region {
  private final Arena arena;

  /** A region that closes {@code arena} with it. */
  PrivateRegion(MemorySegment segment, Arena arena) {
    super(segment, arena);
    this.arena = arena;
  }

  @Override
  public Region paged(PageTimes times, IntPredicate isStored) {
    try {
      return segment.isMapped() ? PagedRegion.over(times, isStored, segment, arena) : this;
    } catch (OutOfMemoryError e) {
      return this; // slower, but as good
    }
  }
}
