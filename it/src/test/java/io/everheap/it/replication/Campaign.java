package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.it.Workers;
import io.everheap.support.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A primary and perhaps a replica in processes of their own, which a test kills, and what they told
 * about their commits. {@code -Deverheap.crash.rounds=N} sets how many kills, {@code
 * -Deverheap.crash.seed=N} repeats the choices of a run.
 */
final class Campaign {
  static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Seeds.seed();
  private static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  private static final int STARTING = -1;

  private final Class<?> primaryClass;
  private final Class<?> replicaClass;
  private final List<String> options = options();
  final SplittableRandom random = new SplittableRandom(SEED);
  private final AtomicLongArray found = new AtomicLongArray(Counters.THREADS);
  private final AtomicLongArray committed = new AtomicLongArray(Counters.THREADS);
  private final AtomicLongArray copied = new AtomicLongArray(Counters.THREADS);
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong port = new AtomicLong();
  private final AtomicLong replicas = new AtomicLong();

  /** Heaps. */
  Campaign() {
    this(PrimaryWorker.class, ReplicaWorker.class);
  }

  /**
   * Creates it.
   *
   * @param primaryClass the program of a primary, such as {@link PrimaryWorker}
   * @param replicaClass the program of a replica, such as {@link ReplicaWorker}
   */
  Campaign(Class<?> primaryClass, Class<?> replicaClass) {
    this.primaryClass = primaryClass;
    this.replicaClass = replicaClass;
  }

  private static List<String> options() {
    try {
      Path secret = Files.createTempDirectory("everheap-secret").resolve("secret");
      secret.getParent().toFile().deleteOnExit();
      secret.toFile().deleteOnExit(); // first
      List<String> options = new ArrayList<>(FAST);
      options.add("-D" + Counters.SECRET + "=" + secret);
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a primary and checks what it finds.
   *
   * @param arguments of its program
   * @param hasAll whether it must have each commit that was acknowledged; else each that was copied
   */
  WorkerProcess startPrimary(List<String> arguments, boolean hasAll) throws Exception {
    port.set(STARTING);
    long[] before = new long[Counters.THREADS];
    for (int i = 0; i < before.length; i++) {
      before[i] = committed.get(i);
    }
    WorkerProcess worker =
        WorkerProcess.start(
            primaryClass, options, arguments, Told.BYTES, bytes -> hear(Told.decode(bytes)));
    Workers.await("a primary serves", () -> port.get() != STARTING, SEED, worker);
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

  /** Starts a replica of the primary; returns when it can be read. */
  WorkerProcess startReplica(String heap) throws Exception {
    long before = replicas.get();
    WorkerProcess worker =
        WorkerProcess.start(
            replicaClass,
            options,
            List.of(heap, Long.toString(port.get())),
            Told.BYTES,
            bytes -> replicas.incrementAndGet());
    Workers.await("a replica can be read", () -> replicas.get() > before, SEED, worker);
    return worker;
  }

  /** Returns when there are that many more commits; fails if a process ends. */
  void awaitCommits(int number, WorkerProcess... workers) {
    long until = commits.get() + number;
    Workers.await(number + " more commits", () -> commits.get() >= until, SEED, workers);
  }

  /** Returns when a replica has a later commit of the first thread; fails if a process ends. */
  void awaitCopy(long before, WorkerProcess... workers) {
    Workers.await("a copied commit", () -> copied() > before, SEED, workers);
  }

  /** Commits that were acknowledged. */
  long commits() {
    return commits.get();
  }

  /** The last commit of the first thread that the status said to be copied. */
  long copied() {
    return copied.get(0);
  }
}
