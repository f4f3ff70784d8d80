package io.everheap.engine.event;

import org.jspecify.annotations.Nullable;

/**
 * The logger of heaps. It is created for the first message, so that an opening does not set up
 * logging; from then on it is kept, and with it what a program has set for it. Thread-safe.
 */
public final class EngineLogger {
  private static volatile System.@Nullable Logger logger;

  private EngineLogger() {}

  /** Returns the logger {@code io.everheap}. */
  public static System.Logger get() {
    System.Logger known = logger;
    if (known == null) {
      known = System.getLogger("io.everheap");
      logger = known;
    }
    return known;
  }
}
