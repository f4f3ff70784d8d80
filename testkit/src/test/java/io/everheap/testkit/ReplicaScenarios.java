package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.heap.OpenHeap;
import io.everheap.report.BackupProgress;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Arrays;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in replicas. */
public final class ReplicaScenarios {
  private static final HeapSetup SYNC = new HeapSetup(true);

  private ReplicaScenarios() {}

  /** Joins and follows, crashed now and then. */
  public static void follow() {
    follow(
        new HeapSetup(true), false, 1, List.of(new Explorer.Effort(10, 40, 4)), new CrashReport());
  }

  /** The primary grows, shrinks and grows again; the replica reads what is in new chunks. */
  public static void grow() {
    try (ReplicatedPrimary primary = new ReplicatedPrimary(false, 1, 2, 0)) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      BaseCopy.restore(
          primary.held(),
          () -> BackupProcess.unclosed(medium),
          SimulatedHeaps.options(SYNC.durability()),
          BackupProgress.NONE);
      try (Heap replica = ReplicaProcess.open(SYNC, medium)) {
        ReplicaApplier applier = OpenHeap.engine(replica).applier();
        applier.begin();
        DurableMap<Integer, byte[]> map = primary.heap.map("large", Integer.class, byte[].class);
        for (int round = 0; round < 4; round++) {
          for (int i = 0; i < 40; i++) {
            byte[] value = new byte[1 + 3_000 * (i % 30) * (1 + round)];
            Arrays.fill(value, (byte) (i + round));
            map.put(i, value);
          }
          ReplicaProcess.apply(primary, applier);
          DurableMap<Integer, byte[]> copy = replica.map("large", Integer.class, byte[].class);
          assertThat(copy).hasSize(40);
          map.forEach((key, value) -> assertThat(copy.get(key)).isEqualTo(value));
          map.clear();
          OpenHeap.engine(primary.heap).drainHousekeeping();
          primary.heap.shrink();
          ReplicaProcess.apply(primary, applier);
          assertThat(copy).isEmpty();
          assertThat(replica.stats().capacity()).isEqualTo(primary.heap.stats().capacity());
          SYNC.verify(replica);
        }
      }
    }
  }

  /** A primary crashes; it comes back, or its replica takes over. */
  public static void failOver() {
    failOver(
        new HeapSetup(true),
        false,
        true,
        1,
        List.of(new Explorer.Effort(6, 40, 4)),
        new CrashReport());
  }

  static void failOver(
      HeapSetup setup,
      boolean dax,
      boolean copies,
      int seed,
      List<Explorer.Effort> efforts,
      CrashReport report) {
    new Explorer(seed, efforts, report)
        .explore(
            new FailoverProcess(setup, dax, copies, seed, 12),
            dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed));
  }

  static void follow(
      HeapSetup setup, boolean dax, int seed, List<Explorer.Effort> efforts, CrashReport report) {
    try (ReplicatedPrimary primary = new ReplicatedPrimary(dax, seed, 8, 30)) {
      new Explorer(seed, efforts, report)
          .explore(
              new ReplicaProcess(setup, primary, seed, 14),
              dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed));
    }
  }
}
