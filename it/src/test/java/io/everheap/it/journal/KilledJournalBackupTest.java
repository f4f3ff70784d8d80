package io.everheap.it.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that appends to a journal and backs it up lives through SIGKILLs at random moments.
 * After each, all backups that are listed are sound, and the newest one has all that a backup had
 * which returned. {@code -Deverheap.crash.rounds=N} sets how many, {@code -Deverheap.crash.seed=N}
 * repeats the choices.
 */
@Timeout(600)
class KilledJournalBackupTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Long.getLong("everheap.crash.seed", System.nanoTime());

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
        while (count.get() == before) {
          requireAlive(worker);
        }
        long end = System.nanoTime() + random.nextInt(300) * 1_000_000L;
        while (System.nanoTime() < end) {
          requireAlive(worker);
        }
        worker.kill();
      }
      List<JournalBackup> all = backups.list();
      assertThat(all.size()).as("seed " + SEED).isGreaterThanOrEqualTo((int) count.get());
      backups.verify(all.getLast(), BackupProgress.NONE);
      requireRestored(backups, all.getLast(), backedUp.get(), round);
    }
    System.out.printf("%d kills, %d backups, all there and sound%n", ROUNDS, count.get());
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

  private static void requireAlive(WorkerProcess worker) throws InterruptedException {
    if (!worker.isAlive()) {
      fail("the worker ended by itself, seed " + SEED + ": " + worker.describeEnd());
    }
    LockSupport.parkNanos(1_000_000);
  }
}
