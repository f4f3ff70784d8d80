package io.everheap.jcache.statistics;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import javax.cache.management.CacheStatisticsMXBean;

/** Figures of a cache, counted while they are enabled. Thread-safe. */
public final class Statistics implements CacheStatisticsMXBean {
  private static final float NANOS_PER_MICRO = 1000;

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder puts = new LongAdder();
  private final LongAdder removals = new LongAdder();
  private final LongAdder getNanos = new LongAdder();
  private final LongAdder putNanos = new LongAdder();
  private final LongAdder removeNanos = new LongAdder();
  private final LongSupplier evictions;
  private volatile long evictionsBefore;
  private volatile boolean enabled;

  /** Disabled at first; the supplier counts entries that made room. */
  public Statistics(LongSupplier evictions) {
    this.evictions = evictions;
  }

  /** Starts or stops to count. */
  public void enable(boolean counts) {
    enabled = counts;
  }

  /** Whether it counts. */
  public boolean isEnabled() {
    return enabled;
  }

  /** The time at which an operation starts, to be given back. */
  public long start() {
    return enabled ? System.nanoTime() : 0;
  }

  /** A lookup ended that found an entry or did not. */
  public void got(boolean found, long start) {
    if (enabled) {
      (found ? hits : misses).increment();
      getNanos.add(since(start));
    }
  }

  /** A put ended. */
  public void put(long start) {
    puts(1, start);
  }

  /** So many puts ended. */
  public void puts(int count, long start) {
    if (enabled && count > 0) {
      puts.add(count);
      putNanos.add(since(start));
    }
  }

  /** So many removals ended. */
  public void removed(int count, long start) {
    if (enabled && count > 0) {
      removals.add(count);
      removeNanos.add(since(start));
    }
  }

  /** Nothing of an operation counts that was under way when counting started. */
  private static long since(long start) {
    return start == 0 ? 0 : System.nanoTime() - start;
  }

  @Override
  public void clear() {
    for (LongAdder each :
        new LongAdder[] {hits, misses, puts, removals, getNanos, putNanos, removeNanos}) {
      each.reset();
    }
    evictionsBefore = evictions.getAsLong();
  }

  @Override
  public long getCacheHits() {
    return hits.sum();
  }

  @Override
  public float getCacheHitPercentage() {
    return percentage(getCacheHits());
  }

  @Override
  public long getCacheMisses() {
    return misses.sum();
  }

  @Override
  public float getCacheMissPercentage() {
    return percentage(getCacheMisses());
  }

  private float percentage(long part) {
    long all = getCacheGets();
    return all == 0 ? 0 : (float) part / all * 100;
  }

  @Override
  public long getCacheGets() {
    return getCacheHits() + getCacheMisses();
  }

  @Override
  public long getCachePuts() {
    return puts.sum();
  }

  @Override
  public long getCacheRemovals() {
    return removals.sum();
  }

  @Override
  public long getCacheEvictions() {
    return evictions.getAsLong() - evictionsBefore;
  }

  @Override
  public float getAverageGetTime() {
    return average(getNanos, getCacheGets());
  }

  @Override
  public float getAveragePutTime() {
    return average(putNanos, getCachePuts());
  }

  @Override
  public float getAverageRemoveTime() {
    return average(removeNanos, getCacheRemovals());
  }

  private static float average(LongAdder nanos, long count) {
    return count == 0 ? 0 : nanos.sum() / NANOS_PER_MICRO / count;
  }
}
