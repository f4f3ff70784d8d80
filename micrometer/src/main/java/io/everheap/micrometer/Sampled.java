package io.everheap.micrometer;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Statistics that are taken once for all meters of one scrape. After a failure, such as that of a
 * closed heap, the last ones stay. Thread-safe.
 */
final class Sampled<T> {
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Supplier<T> source;
  private @Nullable T last;
  private long taken;

  Sampled(Supplier<T> source) {
    this.source = source;
  }

  /** The statistics; null if there never were any. */
  synchronized @Nullable T get() {
    long now = System.nanoTime();
    if (last == null || now - taken >= FRESH_NANOS) {
      try {
        last = source.get();
      } catch (RuntimeException e) {
        // What is closed has no statistics, and a meter must not fail its registry.
      }
      taken = now;
    }
    return last;
  }
}
