package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.testkit.machine.SimulatedMedium;

/**
 * What the tests of the tests run against deliberate mistakes in the archive of the log: a process
 * is killed before it archived what it wrote, and the next one must not leave a gap.
 */
public final class ArchiveScenarios {
  private static final int SEGMENT = 64 << 10; // of SimulatedHeaps

  private ArchiveScenarios() {}

  /** A checkpoint completed, so the recovery needs nothing of what the archive has not. */
  public static void killedBehindACheckpoint() {
    killedBeforeTheArchive(true, true);
  }

  /** The recovery finds the newest transactions in the ring. */
  public static void killedWithAFullRing() {
    killedBeforeTheArchive(false, false);
  }

  private static void killedBeforeTheArchive(boolean sync, boolean checkpoint) {
    HeapSetup setup = new HeapSetup(sync);
    BackupProcess.Store store = new BackupProcess.Store(setup);
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Heap heap = BackupProcess.open(setup, store, medium)) {
      store.directory.take(OpenHeap.engine(heap), Backup.Kind.FULL, 0, BackupProgress.NONE);
      write(heap, 1, SEGMENT / 2);
      OpenHeap.engine(heap).archiver().copy();
      write(heap, 2, checkpoint ? SEGMENT : SEGMENT / 4);
      if (checkpoint) {
        heap.checkpoint();
      }
      SimulatedMedium killed = medium.processKill();
      try (Heap next = BackupProcess.open(setup, store, killed)) {
        write(next, 3, SEGMENT / 4);
        next.checkpoint();
        write(next, 4, SEGMENT / 4);
        next.sync();
        OpenHeap.engine(next).archiver().copy();
        requireRestored(setup, store, next);
      }
    }
  }

  private static void write(Heap heap, int round, int bytes) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    for (int i = 0; i < bytes / 1_000; i++) {
      byte[] value = new byte[1_000];
      value[0] = (byte) round;
      map.put(100 * round + i % 100, value);
    }
  }

  private static void requireRestored(HeapSetup setup, BackupProcess.Store store, Heap heap) {
    SimulatedMedium restored = SimulatedMedium.file(9);
    store.directory.restore(
        store.directory.newest(),
        new RestorePoint.Newest(),
        () -> restored,
        SimulatedHeaps.options(setup.durability()),
        BackupProgress.NONE);
    try (Heap copy = setup.open(restored.processKill())) {
      setup.verify(copy);
      assertThat(BackupProcess.contents(copy)).isEqualTo(BackupProcess.contents(heap));
    }
  }
}
