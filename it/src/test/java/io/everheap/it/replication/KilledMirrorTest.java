package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.everheap.Heap;
import io.everheap.cli.demo.WorkerProcess;
import io.everheap.replication.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with a heap and its mirror, which is killed at random moments. Then either the heap is
 * opened again, or it is deleted, as if its disk were lost, and the mirror takes over. Each commit
 * waits for the mirror, so nothing that was acknowledged is lost. {@code -Deverheap.crash.rounds=N}
 * sets how many kills, {@code -Deverheap.crash.seed=N} repeats the choices of a run.
 */
class KilledMirrorTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Long.getLong("everheap.crash.seed", System.nanoTime());
  private static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final AtomicLongArray committed = new AtomicLongArray(PrimaryWorker.THREADS);
  private final AtomicLongArray found = new AtomicLongArray(PrimaryWorker.THREADS);
  private final AtomicLong commits = new AtomicLong();
  private final AtomicBoolean ready = new AtomicBoolean();

  @Test
  void aMirrorHasWhatWasAcknowledged() throws Exception {
    Path heap = directory.resolve("a");
    Path mirror = directory.resolve("b");
    int lost = 0;
    WorkerProcess worker = start(heap, mirror);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        awaitCommits(worker, random.nextInt(10, 400));
        worker.kill();
        if (random.nextInt(3) == 0) {
          delete(heap);
          assertThat(Replica.of(mirror).promote()).isEqualTo(++lost);
          Path former = heap;
          heap = mirror;
          mirror = former;
        }
        worker = start(heap, mirror);
      }
      awaitCommits(worker, 50);
    } finally {
      worker.close();
    }
    Replica.of(mirror).promote();
    try (Heap opened = Heap.open(mirror)) {
      assertThat(opened.verify().problems()).isEmpty();
    }
    System.out.printf(
        "%d kills, %d disks lost, %,d commits acknowledged%n", ROUNDS, lost, commits.get());
  }

  private static void delete(Path heap) throws IOException {
    try (Stream<Path> files = Files.walk(heap)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private WorkerProcess start(Path heap, Path mirror) throws Exception {
    ready.set(false);
    long[] before = new long[PrimaryWorker.THREADS];
    for (int i = 0; i < before.length; i++) {
      before[i] = committed.get(i);
    }
    WorkerProcess worker =
        WorkerProcess.start(
            PrimaryWorker.class,
            FAST,
            List.of(heap.toString(), "", "1", mirror.toString()),
            Told.BYTES,
            bytes -> hear(Told.decode(bytes)));
    while (!ready.get()) {
      pause(worker);
    }
    for (int i = 0; i < before.length; i++) { // one commit may not have been acknowledged
      assertThat(found.get(i))
          .as("last number of thread %d, seed %d", i, SEED)
          .isBetween(before[i], before[i] + 1);
      committed.accumulateAndGet(i, found.get(i), Math::max);
    }
    return worker;
  }

  private void hear(Told told) {
    switch (told.kind()) {
      case Told.FOUND -> found.set(told.thread(), told.number());
      case Told.READY -> ready.set(true);
      case Told.COPIED -> {} // each commit waits for the mirror
      default -> {
        committed.set(told.thread(), told.number());
        commits.incrementAndGet();
      }
    }
  }

  private void awaitCommits(WorkerProcess worker, int number) throws Exception {
    long until = commits.get() + number;
    while (commits.get() < until) {
      pause(worker);
    }
  }

  private static void pause(WorkerProcess worker) throws IOException, InterruptedException {
    if (!worker.isAlive()) {
      fail("the process ended by itself, seed " + SEED + ": " + worker.describeEnd());
    }
    LockSupport.parkNanos(1_000_000);
  }
}
