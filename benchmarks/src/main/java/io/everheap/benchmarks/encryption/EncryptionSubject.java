package io.everheap.benchmarks.encryption;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.cache.BlockCache;
import io.everheap.cache.BlockCacheBuilder;
import io.everheap.cache.BlockHandle;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * A heap with a map of longs, encrypted or not. Each request opens it, and answers with the
 * nanoseconds of one operation: {@code load}, or one of the cases of {@link EncryptionPart}.
 */
public final class EncryptionSubject implements Subject {
  private static final int BATCH = 10_000;
  private static final int COMMITS = 20_000;
  private static final int OPERATIONS = 500_000;
  private static final long BYTES_PER_ENTRY = 48;
  private static final long CACHE = 64 << 20;
  private static final int BLOCKS = 20_000;
  private static final int BLOCK = 1024;
  private static final Duration INTERVAL = Duration.ofMillis(10);

  private Path directory = Path.of("");
  private boolean encrypted;
  private long entries;

  /** Makes a subject that is not open. */
  public EncryptionSubject() {}

  @Override
  public void open(Map<String, String> parameters) {
    directory = Path.of(parameters.getOrDefault("directory", ""));
    encrypted = Boolean.parseBoolean(parameters.get("encrypted"));
    entries = Long.parseLong(parameters.getOrDefault("entries", "1000"));
  }

  private Heap heap(Durability durability) {
    HeapBuilder builder = Heap.builder(directory).durability(durability);
    return (encrypted ? builder.encrypt(KeyProvider.of(new byte[32])) : builder).open();
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("m", Long.class, Long.class);
  }

  @Override
  public Map<String, Double> measure(String[] request) throws IOException {
    if (request[0].equals(EncryptionPart.OPEN)) {
      return Map.of("ns", opening());
    }
    if (request[0].equals(EncryptionPart.LOAD)) {
      long size = Math.max(1, (entries * BYTES_PER_ENTRY) >>> 20) << 20;
      return Map.of("ns", RandomLoads.nanos(directory, size, encrypted));
    }
    if (request[0].equals(EncryptionPart.HIT)) {
      return Map.of("ns", hit());
    }
    boolean sync = request[0].equals(EncryptionPart.SYNC);
    try (Heap heap = heap(sync ? Durability.SYNC : Durability.async(INTERVAL))) {
      DurableMap<Long, Long> map = map(heap);
      SplittableRandom random = new SplittableRandom(7);
      return switch (request[0]) {
        case "load" -> {
          load(heap, map);
          yield Map.of();
        }
        case EncryptionPart.SYNC ->
            Map.of("ns", time(COMMITS, i -> map.set(random.nextLong(entries), i)));
        case EncryptionPart.ASYNC ->
            Map.of("ns", time(OPERATIONS, i -> map.set(random.nextLong(entries), i)));
        case EncryptionPart.READ -> {
          for (long key = 0; key < entries; key++) { // so that all of it is in memory
            get(map, key);
          }
          yield Map.of("ns", time(2 * OPERATIONS, i -> get(map, random.nextLong(entries))));
        }
        default -> throw new IllegalArgumentException(request[0]);
      };
    }
  }

  private void load(Heap heap, DurableMap<Long, Long> map) {
    for (long n = 0; n < entries; n += BATCH) {
      long first = n;
      heap.transact(
          () -> {
            for (long key = first; key < Math.min(first + BATCH, entries); key++) {
              map.set(key, key);
            }
          });
    }
  }

  /** The operations run once before they are measured. */
  private static double time(int count, LongConsumer operation) {
    double nanos = 0;
    for (int pass = 0; pass < 2; pass++) {
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        operation.accept(i);
      }
      nanos = (System.nanoTime() - start) / (double) count;
    }
    return nanos;
  }

  private double opening() {
    heap(Durability.SYNC).close(); // loads the classes
    long start = System.nanoTime();
    try (Heap heap = heap(Durability.SYNC)) {
      get(map(heap), entries / 2);
      return System.nanoTime() - start;
    }
  }

  private double hit() {
    BlockCacheBuilder builder = BlockCache.builder(directory.resolve("cache"), CACHE).onFile();
    try (BlockCache cache =
        (encrypted ? builder.encrypt(KeyProvider.of(new byte[32])) : builder).open()) {
      byte[][] keys = new byte[BLOCKS][];
      for (int i = 0; i < BLOCKS; i++) {
        keys[i] = ByteBuffer.allocate(Long.BYTES).putLong(i).array();
        boolean _ = cache.put(keys[i], new byte[BLOCK]);
      }
      SplittableRandom random = new SplittableRandom(7);
      return time(OPERATIONS, i -> read(cache, keys[random.nextInt(BLOCKS)]));
    }
  }

  private static void read(BlockCache cache, byte[] key) {
    try (BlockHandle handle = cache.get(key)) {
      if (handle == null || handle.segment().get(ValueLayout.JAVA_BYTE, BLOCK - 1) != 0) {
        throw new IllegalStateException("a block is missing");
      }
    }
  }

  private static void get(DurableMap<Long, Long> map, long key) {
    if (map.get(key) == null) {
      throw new IllegalStateException("entry " + key + " is missing");
    }
  }

  @Override
  public void close() {}
}
