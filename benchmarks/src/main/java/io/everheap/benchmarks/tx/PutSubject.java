package io.everheap.benchmarks.tx;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.collection.DurableMap;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A map of many entries with values of 100 bytes, in a file heap whose commits do not wait for the
 * disk.
 *
 * <p>Requests: {@code update OPERATIONS} and {@code insert OPERATIONS}, bursts after which the heap
 * syncs, unmeasured; {@code sustained MILLIS}, updates without pauses, the last sync included. No
 * JMH: the map takes long to fill, and a burst has a fixed size.
 */
public final class PutSubject implements Subject {
  private static final int VALUE_BYTES = 100;
  private static final int BATCH = 1000;

  private final SplittableRandom random = new SplittableRandom(42);
  private @Nullable Heap heap;
  private @Nullable DurableMap<Long, byte[]> map;
  private long entries;

  @Override
  public void open(Map<String, String> parameters) {
    entries = Long.parseLong(parameters.getOrDefault("entries", "1"));
    Heap opened =
        Heap.builder(Path.of(parameters.getOrDefault("directory", "")))
            .durability(Durability.async(Engines.INTERVAL))
            .open();
    heap = opened;
    DurableMap<Long, byte[]> filled = opened.map("map", Long.class, byte[].class);
    map = filled;
    for (long n = 0; n < entries; n += BATCH) {
      long first = n;
      opened.transact(
          () -> {
            for (long i = first; i < Math.min(first + BATCH, entries); i++) {
              filled.put(Scramble.key(i), value(i));
            }
          });
    }
    opened.sync();
  }

  private static byte[] value(long n) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = 0; i < 8; i++) {
      value[i] = (byte) (n >>> (8 * i));
    }
    return value;
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    Heap opened = heap;
    DurableMap<Long, byte[]> filled = map;
    if (opened == null || filled == null) {
      throw new IllegalStateException("not open");
    }
    long amount = Long.parseLong(request[1]);
    return switch (request[0]) {
      case "update" -> update(opened, filled, amount);
      case "insert" -> insert(opened, filled, amount);
      case "sustained" -> sustained(opened, filled, amount);
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Map<String, Double> update(
      Heap opened, DurableMap<Long, byte[]> filled, long operations) {
    long start = System.nanoTime();
    for (long i = 0; i < operations; i++) {
      filled.put(Scramble.key(random.nextLong(entries)), value(i));
    }
    long end = System.nanoTime();
    opened.sync();
    return nanos(start, end, operations);
  }

  private Map<String, Double> insert(
      Heap opened, DurableMap<Long, byte[]> filled, long operations) {
    long start = System.nanoTime();
    for (long i = 0; i < operations; i++) {
      filled.put(Scramble.key(entries + i), value(i));
    }
    long end = System.nanoTime();
    opened.transact(
        () -> {
          for (long i = 0; i < operations; i++) {
            filled.remove(Scramble.key(entries + i));
          }
        });
    opened.sync();
    return nanos(start, end, operations);
  }

  private Map<String, Double> sustained(Heap opened, DurableMap<Long, byte[]> filled, long millis) {
    long start = System.nanoTime();
    long operations = 0;
    do {
      for (int i = 0; i < BATCH; i++) {
        filled.put(Scramble.key(random.nextLong(entries)), value(i));
      }
      operations += BATCH;
    } while (System.nanoTime() - start < millis * 1_000_000);
    opened.sync();
    return nanos(start, System.nanoTime(), operations);
  }

  private static Map<String, Double> nanos(long start, long end, long operations) {
    return Map.of("ns", (double) (end - start) / operations);
  }

  @Override
  public void close() {
    if (heap != null) {
      heap.close();
    }
  }
}
