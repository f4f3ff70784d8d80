package io.everheap.benchmarks.replication;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Records of 1,000 random bytes in a map of a heap, and updates of 100 bytes of them. */
final class Records {
  /** The bytes of a record. */
  static final int BYTES = 1000;

  private static final int UPDATE = 100;
  private static final int BATCH = 1000;
  private static final Duration INTERVAL = Duration.ofMillis(10);

  /**
   * Sixteen times the default: a replica that is late for a moment must not be given up by a writer
   * at full speed.
   */
  static final long LARGE_LOG = 1L << 30;

  /** What a heap has unless its builder is told otherwise. */
  static final long DEFAULT_LOG = EngineOptions.defaults().logSize();

  private final Heap heap;
  private final DurableMap<Long, byte[]> map;
  private final long count;

  Records(Heap heap, long count) {
    this.heap = heap;
    this.map = heap.map("records", Long.class, byte[].class);
    this.count = count;
  }

  /** Settings of a heap of records. */
  static HeapBuilder builder(Path directory, boolean sync, long log) {
    return Heap.builder(directory)
        .logSize(log)
        .durability(sync ? Durability.SYNC : Durability.async(INTERVAL));
  }

  /** Makes the records that are missing. */
  void load() {
    SplittableRandom random = new SplittableRandom(1);
    for (long n = map.size(); n < count; n += BATCH) {
      long first = n;
      heap.transact(
          () -> {
            for (long i = first; i < Math.min(first + BATCH, count); i++) {
              byte[] record = new byte[BYTES];
              random.nextBytes(record);
              map.set(i, record);
            }
          });
    }
  }

  /** Replaces a tenth of a random record with each call, in a transaction of its own. */
  LongSupplier updates(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] update = new byte[UPDATE];
    return () -> {
      random.nextBytes(update);
      update(random.nextLong(count), random.nextInt(BYTES / UPDATE) * UPDATE, update);
      return 1;
    };
  }

  private void update(long key, int offset, byte[] bytes) {
    byte[] record = map.get(key);
    if (record == null) {
      throw new IllegalStateException("record " + key + " of " + count + " is missing");
    }
    System.arraycopy(bytes, 0, record, offset, UPDATE);
    map.set(key, record);
  }

  /** Replaces a tenth of each n-th record. */
  void updateEach(long n) {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    byte[] update = new byte[UPDATE];
    for (long key = 0; key < count; key += n) {
      random.nextBytes(update);
      update(key, 0, update);
    }
  }
}
