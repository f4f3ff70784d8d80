package io.everheap.cache;

import java.util.function.LongSupplier;

/** Gives a cache another clock; in its package, since programs have no such option. */
public final class CacheClock {
  private CacheClock() {}

  /** Sets the clock, in milliseconds since 1970, of a cache that does nothing by itself. */
  public static void set(BlockCacheBuilder builder, LongSupplier clock) {
    builder.clock(clock).background(false);
  }
}
