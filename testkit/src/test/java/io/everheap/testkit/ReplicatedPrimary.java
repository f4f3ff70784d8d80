package io.everheap.testkit;

import io.everheap.Heap;
import io.everheap.backup.BackupSink;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.LogFeed;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.report.BackupProgress;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A primary on a machine that does not crash, with all transactions that its replicas will have,
 * and a base copy from between them. Its log is kept, so that each replica reads it from its own
 * position.
 */
final class ReplicatedPrimary implements AutoCloseable {
  private static final int SEGMENT = 64 << 10;

  private final SimulatedMedium medium;
  private final SimulatedMedium held = SimulatedMedium.file(7);
  private final TreeMap<Long, Map<Integer, Integer>> states = new TreeMap<>(); // by LSN
  final Heap heap;

  ReplicatedPrimary(boolean dax, long seed, int before, int after) {
    medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    EngineOptions options =
        new EngineOptions(
            64 << 20,
            20,
            256L * SEGMENT,
            SEGMENT,
            SEGMENT,
            16 << 20,
            4 << 20,
            Limit.limit().toNanos(),
            true,
            0,
            false);
    heap =
        HeapSettings.options(
                MediumSetting.medium(Heap.builder(Path.of(medium.location())), medium), options)
            .open();
    engine().log().hold(() -> {}); // replicas read it from any position
    Random random = new Random(seed);
    change(random, before);
    try (MediumFile file = held.create(BaseCopy.NAME)) {
      BaseCopy.send(engine(), sink(file), BackupProgress.NONE);
    }
    change(random, after);
  }

  /** Writes a base copy to a file. */
  static BackupSink sink(MediumFile file) {
    return new BackupSink() {
      private long position;

      @Override
      public void append(ByteBuffer bytes) {
        int length = bytes.remaining();
        file.write(bytes, position);
        position += length;
      }

      @Override
      public void sync() {
        file.sync();
      }
    };
  }

  private void change(Random random, int transactions) {
    for (int i = 0; i < transactions; i++) {
      BackupProcess.change(heap, random);
      states.put(engine().log().appended(), BackupProcess.contents(heap));
      if (random.nextInt(3) == 0) {
        update(random);
      }
      if (random.nextInt(8) == 0 && i > 2) {
        heap.shrink();
        states.put(engine().log().appended(), BackupProcess.contents(heap));
      }
    }
  }

  /** Changes some values where they are, each in a transaction: replicas may join these. */
  private void update(Random random) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    for (Map.Entry<Integer, byte[]> entry : new TreeMap<>(map).entrySet()) {
      byte[] value = entry.getValue();
      if (value.length > 0 && random.nextBoolean()) {
        value[random.nextInt(value.length)]++;
        map.put(entry.getKey(), value);
        states.put(engine().log().appended(), BackupProcess.contents(heap));
      }
    }
  }

  Engine engine() {
    return OpenHeap.engine(heap);
  }

  Medium held() {
    return BackupProcess.unclosed(held);
  }

  LogFeed feed(long lsn, int chain) {
    return LogFeed.open(medium, engine().log(), lsn, chain);
  }

  /** What the heap had at the end of a transaction, or behind it without a change since. */
  Map<Integer, Integer> at(long lsn) {
    return states.floorEntry(lsn).getValue();
  }

  @Override
  public void close() {
    heap.close();
  }
}
