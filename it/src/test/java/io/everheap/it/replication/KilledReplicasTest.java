package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.everheap.Heap;
import io.everheap.cli.demo.WorkerProcess;
import io.everheap.replication.Replica;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary and its replica in processes of their own, which are killed at random moments: the
 * replica, the primary, or both. When the primary is killed, the replica takes over, and the former
 * primary becomes the replica. With one copy nothing that was acknowledged is ever lost; without,
 * what remains is a prefix that has all of which the status said that a replica has it. {@code
 * -Deverheap.crash.rounds=N} sets how many kills, {@code -Deverheap.crash.seed=N} repeats the
 * choices of a run.
 */
class KilledReplicasTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Long.getLong("everheap.crash.seed", System.nanoTime());
  private static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final AtomicLongArray committed = new AtomicLongArray(PrimaryWorker.THREADS);
  private final AtomicLongArray copied = new AtomicLongArray(PrimaryWorker.THREADS);
  private final AtomicLongArray found = new AtomicLongArray(PrimaryWorker.THREADS);
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong port = new AtomicLong();
  private final AtomicLong replicas = new AtomicLong();

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void whatWasCopiedIsNeverLost(int copies) throws Exception {
    Path primaryDir = directory.resolve("a");
    Path replicaDir = directory.resolve("b");
    int failovers = 0;
    WorkerProcess primary = startPrimary(primaryDir, copies, true);
    WorkerProcess replica = startReplica(replicaDir);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        awaitCommits(primary, replica, random.nextInt(10, 400));
        switch (random.nextInt(3)) {
          case 0 -> {
            replica.kill();
            replica = startReplica(replicaDir);
          }
          case 1 -> {
            primary.kill();
            replica.kill();
            primary = startPrimary(primaryDir, copies, true);
            replica = startReplica(replicaDir);
          }
          default -> {
            failovers++;
            primary.kill();
            replica.kill();
            assertThat(Replica.of(replicaDir).promote()).isEqualTo(failovers);
            Path former = primaryDir;
            primaryDir = replicaDir;
            replicaDir = former;
            primary = startPrimary(primaryDir, copies, copies > 0);
            replica = startReplica(replicaDir);
          }
        }
      }
      awaitCommits(primary, replica, 50);
    } finally {
      primary.close();
      replica.close();
    }
    assertThat(copied.get(0)).isPositive();
    Replica.of(replicaDir).promote();
    try (Heap heap = Heap.open(replicaDir)) {
      assertThat(heap.verify().problems()).isEmpty();
    }
    System.out.printf(
        "%d copies: %d kills, %d failovers, %,d commits acknowledged%n",
        copies, ROUNDS, failovers, commits.get());
  }

  private WorkerProcess startPrimary(Path heap, int copies, boolean hasAll) throws Exception {
    port.set(0);
    long[] before = new long[PrimaryWorker.THREADS];
    for (int i = 0; i < before.length; i++) {
      before[i] = committed.get(i);
    }
    WorkerProcess worker =
        WorkerProcess.start(
            PrimaryWorker.class,
            FAST,
            List.of(
                heap.toString(),
                directory.resolve("archives").toString(),
                Integer.toString(copies)),
            Told.BYTES,
            bytes -> hear(Told.decode(bytes)));
    while (port.get() == 0) {
      pause(worker);
    }
    for (int i = 0; i < before.length; i++) { // one commit may not have been acknowledged
      assertThat(found.get(i))
          .as("last number of thread %d, seed %d", i, SEED)
          .isBetween(hasAll ? before[i] : copied.get(i), before[i] + 1);
      committed.accumulateAndGet(i, found.get(i), hasAll ? Math::max : (old, now) -> now);
    }
    return worker;
  }

  private void hear(Told told) {
    switch (told.kind()) {
      case Told.FOUND -> found.set(told.thread(), told.number());
      case Told.READY -> port.set(told.number());
      case Told.COPIED -> copied.accumulateAndGet(told.thread(), told.number(), Math::max);
      default -> {
        committed.set(told.thread(), told.number());
        commits.incrementAndGet();
      }
    }
  }

  private WorkerProcess startReplica(Path heap) throws Exception {
    long before = replicas.get();
    WorkerProcess worker =
        WorkerProcess.start(
            ReplicaWorker.class,
            FAST,
            List.of(heap.toString(), Long.toString(port.get())),
            Told.BYTES,
            bytes -> replicas.incrementAndGet());
    while (replicas.get() == before) {
      pause(worker);
    }
    return worker;
  }

  private void awaitCommits(WorkerProcess primary, WorkerProcess replica, int number)
      throws Exception {
    long until = commits.get() + number;
    while (commits.get() < until) {
      pause(primary);
      pause(replica);
    }
  }

  private static void pause(WorkerProcess worker) throws IOException, InterruptedException {
    if (!worker.isAlive()) {
      fail("a process ended by itself, seed " + SEED + ": " + worker.describeEnd());
    }
    LockSupport.parkNanos(1_000_000);
  }
}
