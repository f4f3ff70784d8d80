package io.everheap.it.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.it.Workers;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads append to a journal that lives through SIGKILLs at random moments. {@code
 * -Deverheap.crash.rounds=N} sets how many, {@code -Deverheap.crash.seed=N} repeats the choices.
 */
@Processes
class KilledJournalTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 8);
  private static final long SEED = Seeds.seed();

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {0, 5000})
  void nothingThatReturnedIsLost(long micros) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    AtomicLong recoveries = new AtomicLong();
    AtomicLong returned = new AtomicLong(-1);
    AtomicLong recovered = new AtomicLong();
    for (int round = 0; round < ROUNDS; round++) {
      long before = recoveries.get();
      long least = returned.get() + 1;
      try (var worker =
          WorkerProcess.start(
              JournalWorker.class,
              List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
              List.of(directory.resolve("j").toString(), "" + micros, "" + round),
              JournalWorker.FRAME,
              frame -> {
                long number = ByteBuffer.wrap(frame).getLong(1);
                if (frame[0] == 0) {
                  recovered.set(number);
                  recoveries.incrementAndGet();
                } else {
                  returned.accumulateAndGet(number, Math::max);
                }
              })) {
        boolean early = random.nextInt(5) == 0;
        if (early) {
          Workers.letWork(worker, random.nextInt(600), SEED);
        } else {
          Workers.await("the journal is open", () -> recoveries.get() > before, SEED, worker);
          Workers.letWork(worker, random.nextInt(300), SEED);
        }
        worker.kill();
      }
      if (recoveries.get() > before) {
        assertThat(recovered.get())
            .as("records in round %d, seed %d", round, SEED)
            .isGreaterThanOrEqualTo(least);
      }
    }
    try (JournalLedger ledger = JournalWorker.open(directory.resolve("j"), micros)) {
      long records = ledger.check();
      assertThat(records).isGreaterThan(returned.get());
      System.out.printf(
          Locale.ROOT,
          "journal, %s: %d kills, %,d records, none lost%n",
          micros == 0 ? "sync" : "async",
          ROUNDS,
          records);
    }
  }
}
