package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.ReplicationException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.Medium;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the tests of the tests run against deliberate mistakes in replicas of journals. */
public final class JournalReplicaScenarios {
  private static final String SEGMENT = "0000000000000001";

  private JournalReplicaScenarios() {}

  /** Power is lost behind each part that was stored. */
  public static void whatIsStoredIsDurable() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Journal journal = primary(8);
        JournalTarget target = target(medium);
        JournalFeed feed = feed(journal, target)) {
      for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
        target.accept(part);
        requireAtLeast(target.durable(), medium.powerLoss(Chooser.none()));
      }
    }
  }

  /** Of two records that came together, power loss keeps the later one. */
  public static void aTornPieceIsNoDamage() {
    try (Journal journal = primary(2)) {
      requireAtLeast(0, torn(journal));
    }
  }

  /** The later one was cut off when the earlier one comes again. */
  public static void whatIsTornIsNoRecordLater() {
    try (Journal journal = primary(2)) {
      SimulatedMedium medium = torn(journal);
      try (JournalTarget target = target(medium)) {
        JournalPosition at = target.settle();
        journal.truncateAfter(0);
        try (JournalFeed feed = JournalReplication.origin(journal, "primary").feed(at)) {
          target.accept(feed.next());
        }
        requireRecords(medium, 0, 1);
      }
    }
  }

  /** What a killed replica stored is found, and then power is lost. */
  public static void whatIsFoundIsDurable() {
    try (Journal journal = primary(2)) {
      SimulatedMedium killed = atTheFirstPiece(journal).processKill();
      try (JournalTarget target = target(killed)) {
        assertThat(target.settle().sequence()).isEqualTo(2);
        requireAtLeast(target.durable(), killed.powerLoss(Chooser.none()));
      }
    }
  }

  /** A replica is killed before a release is durable; the next one deletes files; power is lost. */
  public static void filesAreDeletedAsADurableStateSays() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Journal journal = primary(8);
        JournalTarget target = target(medium);
        JournalFeed feed = feed(journal, target)) {
      drain(feed, target);
      journal.truncateBefore(6);
      SimulatedMedium killed =
          at("journal", medium, () -> target.accept(feed.next())).processKill();
      try (JournalTarget next = target(killed)) {
        next.settle();
        requireAtLeast(next.durable(), killed.powerLoss(allBut("journal at ")));
      }
    }
  }

  /** Power is lost when a replica was promoted. */
  public static void aPromotionIsDurable() {
    try (Journal journal = primary(2)) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      try (JournalTarget target = replica(journal, medium)) {
        target.promote();
        appendTo(medium.powerLoss(Chooser.none()), 2);
      }
    }
  }

  /** A replica is killed before its promotion is durable; what is appended to it then stays. */
  public static void aPromotionThatIsFoundIsDurable() {
    try (Journal journal = primary(2)) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      try (JournalTarget target = replica(journal, medium)) {
        SimulatedMedium killed = at("replica", medium, target::promote).processKill();
        appendTo(killed, 2);
        appendTo(killed.powerLoss(Chooser.none()), 3);
      }
    }
  }

  /** A primary says the highest term that there is: nobody could be promoted after it. */
  public static void aTermThatNoPromotionGivesIsNotStored() {
    try (Journal journal = primary(2);
        JournalTarget target = replica(journal, SimulatedMedium.file(1))) {
      JournalOrigin origin = JournalReplication.origin(journal, "primary");
      assertThatThrownBy(
              () ->
                  target.follow(
                      Long.MAX_VALUE, origin.uuid(), origin.oldestSequence(), origin.segmentSize()))
          .isInstanceOf(ReplicationException.class);
      assertThat(target.term()).isZero();
    }
  }

  /** A journal of records of 5000 bytes, each of them durable before the next: two in a segment. */
  private static Journal primary(int records) {
    Journal journal = JournalProcess.builder(SimulatedMedium.file(9), true).open();
    for (int i = 0; i < records; i++) {
      journal.append(record(i));
    }
    return journal;
  }

  private static byte[] record(long number) {
    return ByteBuffer.allocate(5000).putLong(number).array();
  }

  private static JournalTarget target(SimulatedMedium medium) {
    return JournalReplicaProcess.target(medium, null);
  }

  private static JournalFeed feed(Journal journal, JournalTarget target) {
    JournalOrigin origin = JournalReplication.origin(journal, "primary");
    JournalPosition at = target.settle();
    target.follow(0, origin.uuid(), origin.oldestSequence(), origin.segmentSize());
    return origin.feed(at);
  }

  private static void drain(JournalFeed feed, JournalTarget target) {
    for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
      target.accept(part);
    }
  }

  /** An open replica that has all records. */
  private static JournalTarget replica(Journal journal, SimulatedMedium medium) {
    JournalTarget target = target(medium);
    try (JournalFeed feed = feed(journal, target)) {
      drain(feed, target);
    }
    return target;
  }

  /** What there is when a file is about to become durable for the first time in some work. */
  private static CrashImage at(String file, SimulatedMedium medium, Runnable work) {
    List<CrashImage> images = new ArrayList<>();
    medium.observe(
        point -> {
          if (point.kind() == CrashPoint.Kind.SYNC && point.file().equals(file)) {
            images.add(medium.image());
          }
        });
    work.run();
    medium.observe(point -> {});
    return images.getFirst();
  }

  /** What there is when the first records are written. */
  private static CrashImage atTheFirstPiece(Journal journal) {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (JournalTarget target = target(medium);
        JournalFeed feed = feed(journal, target)) {
      target.accept(feed.next()); // the header
      return at(SEGMENT, medium, () -> target.accept(feed.next()));
    }
  }

  private static SimulatedMedium torn(Journal journal) {
    return atTheFirstPiece(journal).powerLoss(allBut(SEGMENT + " at 4096,"));
  }

  /** Loses what begins with a name alone. */
  private static Chooser allBut(String lost) {
    return unit -> unit.name().startsWith(lost) ? 0 : unit.versions() - 1;
  }

  private static void requireAtLeast(long acknowledged, SimulatedMedium medium) {
    try (JournalTarget target = target(medium)) {
      target.settle();
      assertThat(target.durable()).isGreaterThanOrEqualTo(acknowledged);
    }
  }

  private static void requireRecords(SimulatedMedium medium, long from, long to) {
    Medium read = BackupProcess.unclosed(medium);
    try (Journal journal = JournalProcess.builder(read, true).readOnly().open();
        JournalReader reader = journal.reader()) {
      assertThat(journal.nextSequence()).isEqualTo(to);
      for (long s = from; s < to; s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.bytes()).as("record %s", s).isEqualTo(record(s));
      }
    }
  }

  /** Opens what was promoted, which has some records, and appends one. */
  private static void appendTo(SimulatedMedium promoted, long records) {
    Journal journal = JournalProcess.builder(promoted, true).open(); // it is killed
    assertThat(journal.nextSequence()).isEqualTo(records);
    journal.append(record(records));
    requireRecords(promoted, 0, records + 1);
  }

  static void follow(
      boolean primaryDax,
      boolean replicaDax,
      int seed,
      List<Explorer.Effort> efforts,
      CrashReport report) {
    follow(primaryDax, replicaDax, null, seed, efforts, report);
  }

  /** With the key of an encrypted replica and its encrypted primary, or null. */
  static void follow(
      boolean primaryDax,
      boolean replicaDax,
      @Nullable KeyProvider key,
      int seed,
      List<Explorer.Effort> efforts,
      CrashReport report) {
    SimulatedMedium primary =
        primaryDax ? SimulatedMedium.dax(seed + 50) : SimulatedMedium.file(seed + 50);
    SimulatedMedium replica = replicaDax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    new Explorer(seed, efforts, report)
        .explore(
            new JournalReplicaProcess(
                seed, 40, new JournalReplicaProcess.Primary(primary, seed % 2 == 0, key), key),
            replica);
  }
}
