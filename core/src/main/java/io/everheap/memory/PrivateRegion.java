package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/** A private mapping of a file of a file medium. */
final class PrivateRegion extends Region {
  private final Arena arena;

  /** Creates a region whose close closes {@code arena}. */
  PrivateRegion(MemorySegment segment, Arena arena) {
    super(segment, arena);
    this.arena = arena;
  }

  @Override
  public Region paged(PageTimes times, IntPredicate isStored) {
    try {
      return segment.isMapped() ? PagedRegion.create(times, isStored, segment, arena) : this;
    } catch (OutOfMemoryError e) {
      return this; // works as well, only slower
    }
  }
}
