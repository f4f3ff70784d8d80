package io.everheap.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.it.Workers;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many workers of a work queue, killed at random moments. {@code -Deverheap.crash.rounds=N} sets
 * how many kills, {@code -Deverheap.crash.seed=N} repeats the choices of a run.
 */
@Processes
class KilledWorkersTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Seeds.seed();

  @TempDir private Path directory;

  private final AtomicLong ready = new AtomicLong();
  private final AtomicLong added = new AtomicLong();
  private final Set<Long> done = ConcurrentHashMap.newKeySet();

  @Test
  void noJobIsLostAndNoneThatWasAcknowledgedComesBack() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      workAndKill(random.nextInt(300));
    }
    QueueWorker last = new QueueWorker(directory.resolve("heap"));
    try {
      last.check();
      assertThat(last.added()).isGreaterThanOrEqualTo(added.get());
      assertThat(done).isNotEmpty().allMatch(last::isDone);
      System.out.printf(
          Locale.ROOT,
          "work queue: %d kills, %,d jobs added, %,d acknowledged, none lost or doubled%n",
          ROUNDS,
          added.get(),
          done.size());
    } finally {
      last.close();
    }
  }

  private void workAndKill(int millis) throws Exception {
    long before = ready.get();
    try (var worker =
        WorkerProcess.start(
            QueueWorker.class,
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
            List.of(directory.resolve("heap").toString()),
            QueueWorker.FRAME,
            this::note)) {
      Workers.await("the queue is open", () -> ready.get() > before, SEED, worker);
      Workers.letWork(worker, millis, SEED);
      worker.kill();
    }
  }

  private void note(byte[] frame) {
    long job = ByteBuffer.wrap(frame).getLong(1);
    switch (frame[0]) {
      case QueueWorker.READY -> ready.incrementAndGet();
      case QueueWorker.ADDED -> added.set(job + 1);
      default -> assertThat(done.add(job)).as("job %d is done for the first time", job).isTrue();
    }
  }
}
