package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.ReplicationException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalReader;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process with a replica of a journal, whose primary is on another machine that does not crash,
 * and appends, releases, cuts and opens it again. Its successor has at least what was acknowledged,
 * exactly as the primary had it, and goes on from there; or takes over, if that was decided. It may
 * be refused only if records were cut off before the predecessor knew of it.
 */
final class JournalReplicaProcess implements SimulatedProcess {
  private final long seed;
  private final int work;
  private final Primary primary;
  private final @Nullable KeyProvider key; // of the replica
  private volatile long acknowledged; // position
  private volatile long promoted; // the journal was promoted, and has all records below; or -1
  private volatile boolean deciding; // a promotion was begun
  private volatile boolean unsure; // records were cut off of which the replica may not know
  private volatile long had; // records below, durably

  /** The other machine. */
  static final class Primary {
    private final SimulatedMedium medium;
    private final boolean sync;
    private final @Nullable KeyProvider key;

    Primary(SimulatedMedium medium, boolean sync, @Nullable KeyProvider key) {
      this.medium = medium;
      this.sync = sync;
      this.key = key;
    }

    Supplier<Primary> fork() {
      CrashImage image = medium.image();
      return () -> new Primary(image.processKill(), sync, key);
    }

    Journal open() {
      return MediumSetting.medium(
              JournalProcess.builder(medium, sync, key), BackupProcess.unclosed(medium))
          .open();
    }
  }

  JournalReplicaProcess(long seed, int work, Primary primary, @Nullable KeyProvider key) {
    this(seed, work, primary, key, 0, -1, false);
  }

  private JournalReplicaProcess(
      long seed,
      int work,
      Primary primary,
      @Nullable KeyProvider key,
      long acknowledged,
      long promoted,
      boolean deciding) {
    this.key = key;
    this.seed = seed;
    this.work = work;
    this.primary = primary;
    this.acknowledged = acknowledged;
    this.promoted = promoted;
    this.deciding = deciding;
  }

  @Override
  public Promise promise() {
    Supplier<Primary> copies = primary.fork();
    long then = acknowledged;
    long taken = promoted;
    boolean decided = deciding;
    boolean cut = unsure;
    long copied = had;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        var process =
            new JournalReplicaProcess(
                next, Math.min(work, 8), copies.get(), key, then, taken, decided);
        process.unsure = cut;
        process.had = copied;
        return process;
      }

      @Override
      public Object key() {
        return List.of(then, taken, decided, cut, copied);
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    if (deciding && !isReplica(medium)) {
      takeOver(medium);
      return;
    }
    assertThat(promoted).as("a promotion is never lost").isEqualTo(-1);
    Random random = new Random(seed);
    try (Journal journal = primary.open();
        JournalTarget target = target(medium, key)) {
      JournalOrigin origin = JournalReplication.origin(journal, "primary");
      JournalPosition at = target.settle();
      assertThat(target.durable()).as("acknowledged").isGreaterThanOrEqualTo(acknowledged);
      try (JournalFeed feed = feed(origin, at)) {
        if (feed == null) {
          return;
        }
        UUID uuid = origin.uuid();
        target.follow(1, uuid, origin.oldestSequence(), origin.segmentSize());
        drain(feed, target, medium, journal);
        for (int i = 0; i < work; i++) {
          step(journal, random);
          if (random.nextInt(3) == 0) {
            drain(feed, target, medium, journal);
          }
        }
        drain(feed, target, medium, journal);
      }
      if (random.nextInt(3) == 0) {
        deciding = true;
        long next = journal.nextSequence();
        target.promote();
        promoted = next;
      }
    }
    if (promoted >= 0) {
      takeOver(medium);
    }
  }

  private JournalFeed feed(JournalOrigin origin, JournalPosition at) {
    try {
      return origin.feed(at);
    } catch (ReplicationException e) {
      if (unsure) {
        return null;
      }
      throw e;
    }
  }

  static JournalTarget target(SimulatedMedium medium, @Nullable KeyProvider key) {
    return JournalReplication.target(
        Journal.builder(Path.of("replica")), BackupProcess.unclosed(medium), key);
  }

  private boolean isReplica(SimulatedMedium medium) {
    try (Journal _ = replica(medium)) {
      return false;
    } catch (ReplicationException e) {
      return true;
    }
  }

  private Journal replica(SimulatedMedium medium) {
    return MediumSetting.medium(
            JournalProcess.builder(medium, true, key), BackupProcess.unclosed(medium))
        .open();
  }

  /** Appends to what was the replica. */
  private void takeOver(SimulatedMedium medium) {
    try (Journal journal = replica(medium)) {
      assertThat(journal.nextSequence()).as("what it had").isGreaterThanOrEqualTo(promoted);
      requireRecords(journal);
      for (int i = 0; i < 3; i++) {
        journal.append(JournalBackupProcess.record(journal.nextSequence()));
        promoted = journal.nextSequence();
      }
    }
  }

  private static void requireRecords(Journal journal) {
    try (JournalReader reader = journal.reader()) {
      for (long s = journal.firstSequence(); s < journal.nextSequence(); s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.bytes()).as("record %s", s).isEqualTo(JournalBackupProcess.record(s));
      }
    }
  }

  /** Passes on all that is durable; afterwards the replica is what the primary is. */
  private void drain(
      JournalFeed feed, JournalTarget target, SimulatedMedium medium, Journal journal) {
    journal.force();
    for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
      target.accept(part);
      acknowledged = target.durable();
    }
    had = journal.nextSequence();
    unsure = false;
    assertThat(acknowledged).isEqualTo(JournalReplication.origin(journal, "primary").durable());
    JournalBuilder builder = Journal.builder(Path.of("replica")).readOnly();
    if (key != null) {
      builder.encrypt(key);
    }
    try (Journal reader = MediumSetting.medium(builder, BackupProcess.unclosed(medium)).open()) {
      assertThat(reader.firstSequence()).isEqualTo(journal.firstSequence());
      assertThat(reader.nextSequence()).isEqualTo(journal.nextSequence());
      requireRecords(reader);
    }
  }

  private void step(Journal journal, Random random) {
    switch (random.nextInt(10)) {
      case 0 -> {
        journal.truncateBefore(Math.min(had, journal.firstSequence() + random.nextInt(12)));
      }
      case 1 -> {
        long next = journal.nextSequence() - random.nextInt(6);
        if (next > journal.firstSequence()) {
          unsure = true;
          had = Math.min(had, next);
          journal.truncateAfter(next - 1);
        }
      }
      default -> {
        List<byte[]> records = new ArrayList<>();
        for (int n = random.nextInt(1, 4); n > 0; n--) {
          records.add(JournalBackupProcess.record(journal.nextSequence() + records.size()));
        }
        journal.appendAll(records);
      }
    }
  }
}
