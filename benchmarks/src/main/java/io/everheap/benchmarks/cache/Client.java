package io.everheap.benchmarks.cache;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/** One thread that reads through a cache. Its figures are asked for when it has ended. */
final class Client implements LongSupplier {
  private static final long MOST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final TestedCache cache;
  private final Source source;
  private final Distribution keys;
  private final long fixedNanos;
  private final SplittableRandom random;
  private final Histogram nanos = new Histogram(MOST_NANOS, DIGITS);
  private long hits;
  private long longestGet;
  private long longestPut;

  Client(TestedCache cache, Source source, Distribution keys, long fixedNanos, long seed) {
    this.cache = cache;
    this.source = source;
    this.keys = keys;
    this.fixedNanos = fixedNanos;
    this.random = new SplittableRandom(seed);
  }

  /** Makes one operation. */
  @Override
  public long getAsLong() {
    long start = System.nanoTime();
    boolean _ = operation(start);
    nanos.recordValue(Math.min(MOST_NANOS, System.nanoTime() - start));
    return 1;
  }

  /**
   * Reads a value from the cache, or from the source, and puts it then; and works on.
   *
   * @param start the time
   * @return whether it was a hit
   */
  boolean operation(long start) {
    long key = keys.key(random);
    long sum = cache.read(key);
    longestGet = Math.max(longestGet, System.nanoTime() - start);
    boolean hit = sum != TestedCache.MISS;
    if (hit) {
      hits++;
    } else {
      byte[] value = source.read(key);
      sum = Words.sum(value);
      long begun = System.nanoTime();
      cache.put(key, value);
      longestPut = Math.max(longestPut, System.nanoTime() - begun);
    }
    if (sum != key) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the value of %x is that of another key", key));
    }
    Pause.work(fixedNanos);
    return hit;
  }

  Histogram nanos() {
    return nanos;
  }

  /** The longest lookup, in nanoseconds. */
  long longestGet() {
    return longestGet;
  }

  /** The longest put, in nanoseconds. */
  long longestPut() {
    return longestPut;
  }

  long hits() {
    return hits;
  }
}
