package io.everheap.replication;

import io.everheap.Heap;
import io.everheap.backup.BackupSink;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartStream;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.report.BackupProgress;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Small heaps and copies of them on simulated media. */
final class HeapCopies {
  /** The largest transaction of a heap, in bytes. */
  static final long MAX_TRANSACTION = 2 << 20;

  private HeapCopies() {}

  private static EngineOptions options(long maxTransaction) {
    return new EngineOptions(
        16 << 20,
        20,
        4 << 20,
        64 << 10,
        64 << 10,
        maxTransaction,
        4 << 20,
        Limit.limit().toNanos(),
        true,
        0,
        false);
  }

  /** Opens a heap. */
  static Heap open(SimulatedMedium medium, HeapSettings.Role role) {
    return open(medium, role, MAX_TRANSACTION);
  }

  /** Opens a heap whose transactions have at most so many bytes. */
  static Heap open(SimulatedMedium medium, HeapSettings.Role role, long maxTransaction) {
    return HeapSettings.role(
            HeapSettings.options(
                MediumSetting.medium(Heap.builder(Path.of(medium.location())), medium),
                options(maxTransaction)),
            role)
        .open();
  }

  /** A medium with a copy of a heap. */
  static SimulatedMedium copy(Heap primary, long seed) {
    SimulatedMedium held = SimulatedMedium.file(seed);
    try (MediumFile file = held.create(BaseCopy.NAME)) {
      BaseCopy.send(
          OpenHeap.engine(primary),
          new BackupSink() {
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
          },
          BackupProgress.NONE);
    }
    return restore(held, seed + 1);
  }

  /** A medium with the heap of a copy. */
  static SimulatedMedium restore(SimulatedMedium held, long seed) {
    SimulatedMedium medium = SimulatedMedium.file(seed);
    BaseCopy.restore(held, () -> medium, options(MAX_TRANSACTION), BackupProgress.NONE);
    return medium.powerLoss(Chooser.none());
  }

  /** The place from which the log of a heap can be read. */
  static ReplicaPosition checkpoint(Heap heap) {
    var superblock = OpenHeap.engine(heap).superblock();
    return new ReplicaPosition(
        superblock.createdMillis(), superblock.checkpointLsn(), superblock.chain());
  }

  /** The places behind the transactions of the log from a place on, and that place. */
  static List<ReplicaPosition> positions(Heap heap, ReplicaPosition from) {
    Engine engine = OpenHeap.engine(heap);
    List<ReplicaPosition> found = new ArrayList<>(List.of(from));
    try (LogFeed feed = LogFeed.open(engine.medium(), engine.log(), from.lsn(), from.chain())) {
      PartStream stream =
          new PartStream(
              "the test",
              engine.uuid(),
              new EpochStart(feed.epoch(), from.lsn(), from.chain()),
              received ->
                  received.forEach(
                      t -> found.add(new ReplicaPosition(from.line(), t.lsn(), t.chain()))));
      for (byte[] parts = feed.next(); parts.length > 0; parts = feed.next()) {
        stream.accept(parts);
      }
    }
    return found;
  }

  /** Applies the log of a primary to its replica, in the calling thread, durably. */
  static void follow(Heap primary, Heap replica) {
    Engine engine = OpenHeap.engine(primary);
    ReplicaApplier applier = OpenHeap.engine(replica).applier();
    applier.begin();
    ReplicaPosition at = applier.position();
    try (LogFeed feed = LogFeed.open(engine.medium(), engine.log(), at.lsn(), at.chain())) {
      PartStream stream =
          new PartStream(
              "the test",
              engine.uuid(),
              new EpochStart(feed.epoch(), at.lsn(), at.chain()),
              applier.receiver(at.line()));
      for (byte[] parts = feed.next(); parts.length > 0; parts = feed.next()) {
        stream.accept(parts);
      }
    }
    OpenHeap.engine(replica).sync();
  }
}
