package io.everheap.benchmarks.tx;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.harness.Subject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of many entries with values of 100 bytes: in a file heap whose commits do not wait for the
 * disk, or a {@code ConcurrentHashMap}.
 *
 * <p>Requests: {@code update OPERATIONS} and {@code insert OPERATIONS}, bursts after which the heap
 * syncs, unmeasured; {@code sustained MILLIS}, updates without pauses, the last sync included. No
 * JMH: the map takes long to fill, and a burst has a fixed size.
 */
public final class PutSubject implements Subject {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int VALUE_BYTES = 100;
  private static final int BATCH = 1000;

  private final SplittableRandom random = new SplittableRandom(42);
  private @Nullable Heap heap;
  private Map<Long, byte[]> map = new ConcurrentHashMap<>();
  private long entries;

  @Override
  public void open(Map<String, String> parameters) {
    entries = Long.parseLong(parameters.getOrDefault("entries", "1"));
    if (!GetPart.JDK.equals(parameters.get("peer"))) {
      Heap opened =
          Heap.builder(Path.of(parameters.getOrDefault("directory", "")))
              .durability(Durability.async(Engines.INTERVAL))
              .open();
      heap = opened;
      map = opened.map("map", Long.class, byte[].class);
    }
    for (long n = 0; n < entries; n += BATCH) {
      long first = n;
      together(
          () -> {
            for (long i = first; i < Math.min(first + BATCH, entries); i++) {
              map.put(Scramble.key(i), value(i));
            }
          });
    }
    sync();
  }

  /** In one transaction, where there are any. */
  private void together(Runnable action) {
    if (heap == null) {
      action.run();
    } else {
      heap.transact(action::run);
    }
  }

  private void sync() {
    if (heap != null) {
      heap.sync();
    }
  }

  /** A value that has no word in common with the one before: a map writes only what differs. */
  private static byte[] value(long n) {
    byte[] value = new byte[VALUE_BYTES];
    long word = Scramble.key(n);
    for (int at = 0; at <= VALUE_BYTES - Long.BYTES; at += Long.BYTES) {
      WORD.set(value, at, word + at);
    }
    WORD.set(value, VALUE_BYTES - Long.BYTES, word);
    return value;
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    long amount = Long.parseLong(request[1]);
    return switch (request[0]) {
      case "update" -> update(amount);
      case "insert" -> insert(amount);
      case "sustained" -> sustained(amount);
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Map<String, Double> update(long operations) {
    long start = System.nanoTime();
    for (long i = 0; i < operations; i++) {
      map.put(Scramble.key(random.nextLong(entries)), value(i));
    }
    long end = System.nanoTime();
    sync();
    return nanos(start, end, operations);
  }

  private Map<String, Double> insert(long operations) {
    long start = System.nanoTime();
    for (long i = 0; i < operations; i++) {
      map.put(Scramble.key(entries + i), value(i));
    }
    long end = System.nanoTime();
    together(
        () -> {
          for (long i = 0; i < operations; i++) {
            map.remove(Scramble.key(entries + i));
          }
        });
    sync();
    return nanos(start, end, operations);
  }

  private Map<String, Double> sustained(long millis) {
    long start = System.nanoTime();
    long operations = 0;
    do {
      for (int i = 0; i < BATCH; i++) {
        map.put(Scramble.key(random.nextLong(entries)), value(i));
      }
      operations += BATCH;
    } while (System.nanoTime() - start < millis * 1_000_000);
    sync();
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
