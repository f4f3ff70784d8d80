package io.everheap.it.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.it.Workers;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.report.BackupProgress;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that appends to a journal and backs it up lives through SIGKILLs at random moments.
 * After each, all backups that are listed are sound, and the newest one has all that a backup had
 * which returned. {@code -Deverheap.crash.rounds=N} sets how many, {@code -Deverheap.crash.seed=N}
 * repeats the choices.
 */
@Processes
class KilledJournalBackupTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Seeds.seed();

  @TempDir private Path directory;

  @Test
  void backupsThatReturnedAreThereAndSound() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    AtomicLong backedUp = new AtomicLong();
    AtomicLong count = new AtomicLong();
    JournalBackups backups = JournalBackups.in(directory.resolve("backups"));
    for (int round = 0; round < ROUNDS; round++) {
      try (var worker =
          WorkerProcess.start(
              JournalBackupWorker.class,
              List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
              List.of(
                  directory.resolve("j").toString(),
                  directory.resolve("backups").toString(),
                  String.valueOf(round)),
              JournalBackupWorker.FRAME,
              frame -> {
                backedUp.set(ByteBuffer.wrap(frame).getLong());
                count.incrementAndGet();
              })) {
        long before = count.get();
        Workers.await("a backup returns", () -> count.get() > before, SEED, worker);
        Workers.letWork(worker, random.nextInt(300), SEED);
        worker.kill();
      }
      List<JournalBackup> all = backups.list();
      assertThat(all.size()).as("seed " + SEED).isGreaterThanOrEqualTo((int) count.get());
      backups.verify(all.getLast(), BackupProgress.NONE);
      requireRestored(backups, all.getLast(), backedUp.get(), round);
    }
    System.out.printf(
        Locale.ROOT, "%d kills, %d backups, all there and sound%n", ROUNDS, count.get());
  }

  private void requireRestored(
      JournalBackups backups, JournalBackup newest, long least, int round) {
    assertThat(newest.nextSequence()).as("seed " + SEED).isGreaterThanOrEqualTo(least);
    Path restored = directory.resolve("restored-" + round);
    backups.restore(newest, restored);
    try (JournalLedger ledger = JournalWorker.open(restored, 0)) {
      assertThat(ledger.check()).as("seed " + SEED).isEqualTo(newest.nextSequence());
    }
  }
}
