package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A shared arena whose close can be repeated after any error. Thread-safe.
 *
 * <p>The JDK closes a shared arena by two stores. A StackOverflowError between them leaves an arena
 * that is not closed, and on which a further close waits for ever. So each close first closes an
 * empty arena: where the stack does not suffice, the error mostly strikes there, and does no harm.
 * If it strikes in the close of this one all the same, the memory stays until the process ends.
 */
public final class SteadyArena implements AutoCloseable {
  private final Arena arena;
  private boolean struck; // guarded by this; stores, which no second error prevents

  /** Opens one. */
  public SteadyArena() {
    this(Arena.ofShared());
  }

  /** Takes over a shared arena. */
  SteadyArena(Arena arena) {
    this.arena = arena;
  }

  /** As {@link Arena#allocate(long, long)}. */
  public MemorySegment allocate(long bytes, long alignment) {
    return arena.allocate(bytes, alignment);
  }

  /**
   * Frees or unmaps the memory. Does nothing if it is closed, or if an error struck in its close.
   *
   * @throws IllegalStateException if the memory is in use
   */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public synchronized void close() {
    if (struck || !arena.scope().isAlive()) {
      return;
    }
    try {
      // At one call site: the virtual machine may compile two calls differently.
      for (Arena each : List.of(Arena.ofShared(), arena)) {
        struck = each == arena;
        each.close();
      }
    } catch (IllegalStateException e) {
      struck = false;
      throw e;
    }
  }
}
