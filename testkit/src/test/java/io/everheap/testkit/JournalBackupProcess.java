package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.BackupException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalPoint;
import io.everheap.journal.JournalReader;
import io.everheap.journal.SimulatedBackups;
import io.everheap.report.Backup;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A process that appends to a journal, releases and cuts off records, and backs it up to another
 * machine, which does not crash; it restores each backup. Its successor continues the chain of
 * incremental backups, unless records were cut off.
 */
final class JournalBackupProcess implements SimulatedProcess {
  private final long seed;
  private final int work;
  private final boolean sync;
  private final Store store;
  private volatile long backedUp; // records below are in the newest backup; -1 if there is none

  /** The other machine. */
  static final class Store {
    private final SimulatedMedium medium;
    final SimulatedBackups backups;

    Store(SimulatedMedium medium) {
      this.medium = medium;
      this.backups = new SimulatedBackups(() -> BackupProcess.unclosed(medium));
    }

    Supplier<Store> fork() {
      CrashImage image = medium.image();
      return () -> new Store(image.processKill());
    }
  }

  JournalBackupProcess(long seed, int work, boolean sync) {
    this(seed, work, sync, new Store(SimulatedMedium.file(1)), -1);
  }

  private JournalBackupProcess(long seed, int work, boolean sync, Store store, long backedUp) {
    this.seed = seed;
    this.work = work;
    this.sync = sync;
    this.store = store;
    this.backedUp = backedUp;
  }

  @Override
  public Promise promise() {
    long then = backedUp;
    Supplier<Store> copies = store.fork();
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        return new JournalBackupProcess(next, Math.min(work, 10), sync, copies.get(), then);
      }

      @Override
      public Object key() {
        return then;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    Random random = new Random(seed);
    try (Journal journal = JournalProcess.builder(medium, sync).open()) {
      if (backedUp >= 0) {
        assertThat(journal.nextSequence()).as("what a backup has").isGreaterThanOrEqualTo(backedUp);
        backUp(journal, Backup.Kind.INCREMENTAL, true);
      }
      for (int i = 0; i < work; i++) {
        step(journal, random);
      }
    }
  }

  private void step(Journal journal, Random random) {
    switch (random.nextInt(8)) {
      case 0 -> backUp(journal, Backup.Kind.INCREMENTAL, backedUp >= 0);
      case 1 -> backUp(journal, Backup.Kind.FULL, true);
      case 2 -> {
        if (backedUp >= 0) {
          long to = journal.firstSequence() + random.nextInt(10);
          journal.truncateBefore(Math.min(to, backedUp));
        }
      }
      case 3 -> cut(journal, random);
      default -> {
        List<byte[]> records = new ArrayList<>();
        for (int n = random.nextInt(1, 4); n > 0; n--) {
          records.add(record(journal.nextSequence() + records.size()));
        }
        journal.appendAll(records);
      }
    }
  }

  private void cut(Journal journal, Random random) {
    long next = journal.nextSequence() - random.nextInt(4);
    if (random.nextInt(3) == 0 && next > journal.firstSequence()) {
      if (next < backedUp) {
        backedUp = -1; // what follows is another history
      }
      journal.truncateAfter(next - 1);
    }
  }

  private void backUp(Journal journal, Backup.Kind kind, boolean mustSucceed) {
    JournalBackup backup;
    try {
      backup = store.backups.all().take(journal, kind);
    } catch (BackupException e) {
      if (mustSucceed) {
        throw e;
      }
      return;
    }
    backedUp = backup.nextSequence();
    assertThat(backup.nextSequence()).isEqualTo(journal.nextSequence());
    SimulatedMedium restored = SimulatedMedium.file(9);
    store.backups.restore(
        backup, new JournalPoint.OfBackup(), () -> BackupProcess.unclosed(restored));
    requireRecords(restored.processKill(), journal.firstSequence(), journal.nextSequence());
  }

  static void requireRecords(SimulatedMedium medium, long first, long next) {
    try (Journal copy = JournalProcess.builder(medium, true).open()) {
      assertThat(copy.firstSequence()).isEqualTo(first);
      assertThat(copy.nextSequence()).isEqualTo(next);
      try (JournalReader reader = copy.reader()) {
        for (long s = first; s < next; s++) {
          assertThat(reader.next()).isTrue();
          assertThat(reader.bytes()).as("record %s", s).isEqualTo(record(s));
        }
      }
    }
  }

  /** The record with a sequence, in all histories. */
  static byte[] record(long sequence) {
    Random random = new Random(sequence);
    byte[] bytes = new byte[random.nextInt(random.nextInt(12) == 0 ? 20_000 : 700)];
    random.nextBytes(bytes);
    return bytes;
  }
}
