package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.DurableWrite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A file heap whose commits wait for the disk, and the raw durable writes that are its floor.
 *
 * <p>Requests: {@code floor WAY MILLIS} and {@code latency MILLIS}, which time each operation;
 * {@code platform THREADS MILLIS} and {@code virtual THREADS MILLIS}, which count the commits of
 * threads. No JMH: operations take as long as the disk takes, and threads share them.
 */
public final class SyncSubject implements Subject {
  private static final int WORDS = 1024;
  private static final int MOST_SAMPLES = 1 << 20;

  private final Map<DurableWrite, RawLog> floors = new EnumMap<>(DurableWrite.class);
  private final long[] samples = new long[MOST_SAMPLES];
  private @Nullable Path directory;
  private @Nullable Engine engine;
  private long block;

  @Override
  public void open(Map<String, String> parameters) throws IOException {
    Path home = Path.of(parameters.getOrDefault("directory", ""));
    directory = home;
    Engine opened = Engines.syncFile(home.resolve("heap"));
    engine = opened;
    block = Engines.allocate(opened, 8L * WORDS);
  }

  private Engine heap() {
    Engine opened = engine;
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    return opened;
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "floor" -> {
        RawLog log = floor(DurableWrite.valueOf(request[1]));
        yield latency(Long.parseLong(request[2]), n -> log.append());
      }
      case "latency" -> latency(Long.parseLong(request[1]), n -> commit(0, n));
      case "platform" ->
          throughput(
              Thread.ofPlatform().factory(),
              Integer.parseInt(request[1]),
              Long.parseLong(request[2]));
      case "virtual" ->
          throughput(
              Thread.ofVirtual().factory(),
              Integer.parseInt(request[1]),
              Long.parseLong(request[2]));
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private RawLog floor(DurableWrite how) throws IOException {
    RawLog log = floors.get(how);
    if (log == null && directory != null) {
      log = new RawLog(directory.resolve("floor"), how);
      floors.put(how, log);
    }
    if (log == null) {
      throw new IllegalStateException("not open");
    }
    return log;
  }

  private interface Operation {
    void run(long n) throws IOException;
  }

  private Map<String, Double> latency(long millis, Operation operation) throws IOException {
    long start = System.nanoTime();
    long before = start;
    int count = 0;
    do {
      operation.run(count);
      long now = System.nanoTime();
      samples[count++] = now - before;
      before = now;
    } while (before - start < millis * 1_000_000 && count < MOST_SAMPLES);
    long[] sorted = Arrays.copyOf(samples, count);
    Arrays.sort(sorted);
    return Map.of(
        "mean_ns", (double) (before - start) / count,
        "median_ns", (double) sorted[count / 2],
        "p99_us", sorted[(int) (count * 0.99)] / 1e3,
        "ops", count * 1e9 / (before - start));
  }

  private Map<String, Double> throughput(ThreadFactory factory, int threads, long millis)
      throws InterruptedException {
    Threads.Done done = Threads.run(factory, threads, millis, this::writer);
    return Map.of("ops", done.operations() / done.seconds());
  }

  private LongSupplier writer(int index) {
    return () -> {
      commit(index, System.nanoTime());
      return 1;
    };
  }

  /** Updates a word of the thread's own. */
  private void commit(int index, long value) {
    Engine opened = heap();
    Transactions tx = opened.transactions();
    HeapMemory memory = opened.memory();
    tx.begin();
    boolean ok = false;
    try {
      memory.putLong(index, block + 8L * index, value);
      ok = true;
    } finally {
      tx.end(ok);
    }
  }

  @Override
  public void close() throws IOException {
    for (RawLog log : floors.values()) {
      log.close();
    }
    if (engine != null) {
      engine.close();
    }
  }
}
