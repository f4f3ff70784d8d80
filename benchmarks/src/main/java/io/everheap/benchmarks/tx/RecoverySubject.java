package io.everheap.benchmarks.tx;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.engine.Engine;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A heap with a large map, in the steps of a crash and a recovery.
 *
 * <p>Requests: {@code fill ENTRIES} fills it and closes it; {@code load ENTRIES} opens it without
 * checkpoints and updates until the log is as full as it gets, and leaves it open, to be killed;
 * {@code open} times the opening, each with everything cold that is cold in a fresh JVM. {@code
 * seconds} is the time from the call that opens the heap to the first value, {@code put} that to
 * the first change.
 */
public final class RecoverySubject implements Subject {
  private static final int BATCH = 1000;

  /** Beyond 7/8 commits wait for a checkpoint. */
  private static final double FULL = 0.85;

  private Path directory = Path.of("");
  private @Nullable Heap heap;

  @Override
  public void open(Map<String, String> parameters) {
    directory = Path.of(parameters.getOrDefault("directory", ""));
  }

  private HeapBuilder builder() {
    return Heap.builder(directory).durability(Durability.async(Engines.INTERVAL));
  }

  private static Map<Long, Long> map(Heap heap) {
    return heap.map("map", Long.class, Long.class);
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    return switch (request[0]) {
      case "fill" -> {
        try (Heap opened = builder().open()) {
          Maps.fill(opened, map(opened), Long.parseLong(request[1]));
        }
        yield Map.of();
      }
      case "load" -> load(Long.parseLong(request[1]));
      case "open" -> timeOpen();
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Map<String, Double> load(long entries) {
    Heap opened =
        HeapSettings.options(builder(), Engines.options(false, Engines.INTERVAL.toNanos(), false))
            .open();
    heap = opened;
    Map<Long, Long> map = map(opened);
    Engine engine = OpenHeap.engine(opened);
    SplittableRandom random = new SplittableRandom(1);
    while (engine.log().used() < FULL * engine.log().limit()) {
      for (int i = 0; i < BATCH; i++) {
        long n = random.nextLong(entries);
        map.put(Scramble.key(n), n);
      }
    }
    return Map.of("log", (double) engine.log().used());
  }

  private Map<String, Double> timeOpen() {
    long start = System.nanoTime();
    Heap opened = builder().open();
    heap = opened;
    Map<Long, Long> map = map(opened);
    Long value = map.get(Scramble.key(0));
    long read = System.nanoTime();
    if (value == null || value != 0) {
      throw new IllegalStateException("the heap lost an entry, or has a wrong one: " + value);
    }
    map.put(Scramble.key(0), 0L);
    long written = System.nanoTime();
    return Map.of("seconds", (read - start) / 1e9, "put", (written - start) / 1e9);
  }

  @Override
  public void close() {
    if (heap != null) {
      heap.close();
    }
  }
}
