package io.everheap.benchmarks.collections;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.benchmarks.result.Case;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map from long to long, this library's in a file heap or the JDK's.
 *
 * <p>Requests: {@code get MILLIS}, gets of random keys that are all there; {@code scan MILLIS},
 * visits to all entries in order; {@code for-each MILLIS}, the same by {@code forEach}; {@code
 * range MILLIS}, the 100 entries from a random key on. The answer is nanoseconds per get or entry.
 */
public final class SortedSubject implements Subject {
  private static final int BATCH = 1024;
  private static final int RANGE = 100;

  private @Nullable Heap heap;
  private ConcurrentNavigableMap<Long, Long> map = new ConcurrentSkipListMap<>();
  private long entries;

  @Override
  public void open(Map<String, String> parameters) {
    entries = Long.parseLong(parameters.getOrDefault("entries", "1"));
    if (Case.EVERHEAP.equals(parameters.get("peer"))) {
      Heap opened =
          Heap.builder(Path.of(parameters.getOrDefault("directory", "")))
              .durability(Durability.async(Duration.ofMillis(10)))
              .open();
      heap = opened;
      map = opened.sortedMap("map", Long.class, Long.class);
      for (long n = 0; n < entries; n += BATCH) {
        long first = n;
        opened.transact(() -> fill(first, Math.min(first + BATCH, entries)));
      }
      opened.checkpoint();
    } else {
      fill(0, entries);
    }
  }

  private void fill(long from, long to) {
    for (long i = from; i < to; i++) {
      map.put(Scramble.key(i), i);
    }
  }

  @Override
  public Map<String, Double> measure(String[] request) throws InterruptedException {
    LongSupplier work =
        switch (request[0]) {
          case "get" -> gets();
          case "scan" -> this::scan;
          case "for-each" -> this::forEach;
          case "range" -> ranges();
          default -> throw new IllegalArgumentException("unknown request " + request[0]);
        };
    Threads.Done done =
        Threads.run(Thread.ofPlatform().factory(), 1, Long.parseLong(request[1]), i -> work);
    return Map.of("ns", done.seconds() * 1e9 / done.operations());
  }

  private LongSupplier gets() {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    return () -> {
      long sum = 0;
      for (int i = 0; i < BATCH; i++) {
        Long value = map.get(Scramble.key(random.nextLong(entries)));
        if (value == null) {
          throw new IllegalStateException("a key is missing");
        }
        sum += value;
      }
      return sum < 0 ? 0 : BATCH; // no value is negative: the sum is used, and the count is right
    };
  }

  private long scan() {
    long found = 0;
    long sum = 0;
    for (Map.Entry<Long, Long> entry : map.entrySet()) {
      found++;
      sum += entry.getValue();
    }
    if (found != entries || sum < 0) {
      throw new IllegalStateException(found + " entries of " + entries);
    }
    return found;
  }

  private long forEach() {
    long[] sums = new long[2];
    map.forEach(
        (key, value) -> {
          sums[0]++;
          sums[1] += value;
        });
    if (sums[0] != entries || sums[1] < 0) {
      throw new IllegalStateException(sums[0] + " entries of " + entries);
    }
    return sums[0];
  }

  private LongSupplier ranges() {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    return () -> {
      long found = 0;
      long sum = 0;
      Long from = Scramble.key(random.nextLong(entries));
      for (Map.Entry<Long, Long> entry : map.tailMap(from, true).entrySet()) {
        sum += entry.getValue();
        if (++found == RANGE) {
          break;
        }
      }
      return sum < 0 ? 0 : found;
    };
  }

  @Override
  public void close() {
    if (heap != null) {
      heap.close();
    }
  }
}
