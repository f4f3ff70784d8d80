package io.everheap.benchmarks.tx;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.benchmarks.result.Case;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A map from long to long, this library's in a file heap or the JDK's.
 *
 * <p>Request: {@code get THREADS MILLIS}, gets of random keys that are all there. The caller makes
 * the key object, as any caller has to. No JMH: the map takes long to fill, and one that is warm
 * can serve all rounds.
 */
public final class GetSubject implements Subject {
  private static final int BATCH = 1024;

  private @Nullable Heap heap;
  private Map<Long, Long> map = Map.of();
  private long entries;

  @Override
  public void open(Map<String, String> parameters) {
    entries = Long.parseLong(parameters.getOrDefault("entries", "1"));
    if (Case.EVERHEAP.equals(parameters.get("peer"))) {
      Heap opened =
          Heap.builder(Path.of(parameters.getOrDefault("directory", "")))
              .durability(Durability.async(Engines.INTERVAL))
              .open();
      heap = opened;
      map = opened.map("map", Long.class, Long.class);
      Maps.fill(opened, map, entries);
      opened.checkpoint();
    } else {
      map = new ConcurrentHashMap<>();
      for (long i = 0; i < entries; i++) {
        map.put(Scramble.key(i), i);
      }
    }
  }

  @Override
  public Map<String, Double> measure(String[] request) throws InterruptedException {
    int threads = Integer.parseInt(request[1]);
    Threads.Done done =
        Threads.run(
            Thread.ofPlatform().factory(), threads, Long.parseLong(request[2]), this::reader);
    return Map.of("ns", done.seconds() * 1e9 * threads / done.operations());
  }

  private LongSupplier reader(int index) {
    SplittableRandom random = new SplittableRandom(index + System.nanoTime());
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

  @Override
  public void close() {
    if (heap != null) {
      heap.close();
    }
  }
}
