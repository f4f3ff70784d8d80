package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalParts;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.log.SegmentHeader;
import io.everheap.memory.FileMedium;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From which positions a journal lets a replica continue, over several segments. */
@Campaign
class JournalFeedTest {
  private static final int RECORDS = 24;
  private static final int SEGMENT = 16 << 10;
  private static final int END = 2; // segments that are complete

  @TempDir Path dir;

  private Journal journal;
  private JournalOrigin origin;
  private JournalTarget target;
  private final List<JournalPosition> positions = new ArrayList<>(); // behind so many records
  private final List<JournalPosition> marked = new ArrayList<>(); // behind the ends of segments
  private final List<Long> durable = new ArrayList<>(); // the same as positions of the log

  @BeforeEach
  void begin() {
    journal = Journal.builder(dir.resolve("primary")).segmentSize(SEGMENT).open();
    assumeThat(journal.info().medium())
        .as("the places of records are those of an ordinary file")
        .isEqualTo("file");
    origin = JournalReplication.origin(journal, "primary");
    target = target("replica");
    target.settle();
    target.follow(0, origin.uuid(), 0, SEGMENT);
    for (int i = 0; i <= RECORDS; i++) {
      try (JournalFeed feed = origin.feed(target.settle())) {
        for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
          target.accept(part);
          JournalPosition at = target.settle();
          if (at.link() != at.chain()) {
            marked.add(at);
          }
        }
      }
      positions.add(target.settle());
      durable.add(target.durable());
      if (i < RECORDS) {
        journal.append(record(i));
      }
    }
    assertThat(positions.getLast().ordinal()).isGreaterThan(END);
    assertThat(positions.getFirst().ordinal()).isOne();
    assertThat(marked).hasSize(END);
  }

  @AfterEach
  void end() {
    if (target != null) {
      target.close();
    }
    journal.close();
  }

  private JournalTarget target(String name) {
    return JournalReplication.target(
        Journal.builder(dir), FileMedium.open(dir.resolve(name), false, true), null);
  }

  private static byte[] record(long sequence) {
    byte[] bytes = new byte[1_500];
    new Random(sequence).nextBytes(bytes);
    return bytes;
  }

  private static void store(JournalOrigin from, JournalTarget to) {
    try (JournalFeed feed = from.feed(to.settle())) {
      for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
        to.accept(part);
      }
    }
  }

  /** What a feed sends: the bytes of segments at their places. */
  private NavigableMap<Long, byte[]> sent(JournalPosition from) {
    NavigableMap<Long, byte[]> segments = new TreeMap<>();
    long ordinal = from.ordinal();
    int at = 0;
    try (JournalFeed feed = origin.feed(from)) {
      for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
        ByteBuffer b = ByteBuffer.wrap(part);
        switch (b.get()) {
          case JournalParts.SEGMENT, JournalParts.OLDEST ->
              ordinal =
                  SegmentHeader.decode(
                          b.slice().order(ByteOrder.LITTLE_ENDIAN), JournalLayout.MAGIC)
                      .ordinal();
          case JournalParts.PIECE -> {
            at = (int) b.getLong();
            b.getInt();
          }
          default -> {}
        }
        byte kind = part[0];
        if (kind == JournalParts.PIECE || kind == JournalParts.BYTES) {
          byte[] segment = segments.computeIfAbsent(ordinal, o -> new byte[SEGMENT]);
          int length = b.remaining();
          b.get(segment, at, length);
          at += length;
        }
      }
    }
    return segments;
  }

  @Test
  void aReplicaContinuesBehindAnyRecordThatItHas() {
    NavigableMap<Long, byte[]> all = sent(JournalPosition.NONE);
    for (JournalPosition at : positions) {
      NavigableMap<Long, byte[]> rest = sent(at);
      for (var segment : rest.entrySet()) {
        byte[] whole = all.get(segment.getKey()).clone();
        if (segment.getKey() == at.ordinal()) {
          Arrays.fill(whole, 0, (int) at.offset(), (byte) 0);
        }
        assertThat(segment.getValue()).as("behind record %s", at.sequence()).isEqualTo(whole);
      }
      long first = Math.max(1, at.ordinal());
      assertThat(all.tailMap(first, at.sequence() < RECORDS).keySet())
          .as("behind record %s", at.sequence())
          .containsAll(rest.keySet());
      assertThat(rest.isEmpty()).isEqualTo(at.sequence() == RECORDS);
    }
  }

  private void requireRefused(String what, UnaryOperator<JournalPosition> change) {
    for (JournalPosition at : positions.subList(1, positions.size())) {
      JournalPosition other = change.apply(at);
      assertThatThrownBy(() -> origin.feed(other).close())
          .as("%s behind record %s", what, at.sequence())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("made anew");
    }
  }

  private static JournalPosition with(
      JournalPosition at, long epoch, long ordinal, int header, long size) {
    return new JournalPosition(
        at.epoch() + epoch,
        at.ordinal() + ordinal,
        at.header() ^ header,
        at.size() + size,
        at.offset(),
        at.sequence(),
        at.chain(),
        at.link());
  }

  private static JournalPosition at(JournalPosition at, long offset, long sequence, int chain) {
    return new JournalPosition(
        at.epoch(),
        at.ordinal(),
        at.header(),
        at.size(),
        at.offset() + offset,
        at.sequence() + sequence,
        at.chain() ^ chain,
        at.link());
  }

  /** Also in the middle of the journal, and at the ends of its segments. */
  @Test
  void aReplicaWithAnotherRecordOrSegmentIsRefusedAtEveryPlace() {
    requireRefused("another last record", p -> at(p, 0, 0, 1));
    requireRefused("another last record", p -> at(p, 0, 0, 1 << 31));
    requireRefused("less bytes", p -> at(p, -8, 0, 0));
    requireRefused("more bytes", p -> at(p, 8, 0, 0));
    requireRefused("one record less", p -> at(p, 0, -1, 0));
    requireRefused("one record more", p -> at(p, 0, 1, 0));
    requireRefused("an earlier epoch", p -> with(p, -1, 0, 0, 0));
    requireRefused("a later epoch", p -> with(p, 1, 0, 0, 0));
    requireRefused("another segment", p -> with(p, 0, 0, 1, 0));
    requireRefused("the next segment", p -> with(p, 0, 1, 0, 0));
    requireRefused("a segment to come", p -> with(p, 0, 1_000, 0, 0));
    requireRefused("a smaller segment", p -> with(p, 0, 0, 0, -1));
  }

  @Test
  void aLargerSegmentOfAReplicaIsNoObstacle() {
    for (JournalPosition at : positions.subList(1, positions.size())) {
      origin.feed(with(at, 0, 0, 0, 4_096)).close();
    }
  }

  /** It has the place of one record, and the checksum of another one. */
  @Test
  void theChainIsThatOfTheRecordBeforeThePlace() {
    for (int i = 2; i <= RECORDS; i++) {
      JournalPosition at = positions.get(i);
      JournalPosition before = positions.get(i - 1);
      int chain = at.chain() ^ before.chain();
      assertThatThrownBy(() -> origin.feed(at(at, 0, 0, chain)))
          .isInstanceOf(ReplicationException.class);
      assertThatThrownBy(() -> origin.feed(at(before, 0, 0, chain)))
          .isInstanceOf(ReplicationException.class);
    }
  }

  /** Below the oldest segment that is kept, only the place where that begins will do. */
  @Test
  void aReplicaContinuesAfterAReleaseOfExactlyWhatItHas() {
    long kept = positions.getLast().ordinal();
    int first = 0;
    while (positions.get(first).ordinal() < kept) {
      first++;
    }
    int end = first - 1; // records of the segments before
    journal.truncateBefore(end);
    assertThat(journal.firstSequence()).isEqualTo(end);
    JournalPosition exact = marked.getLast();
    assertThat(exact.ordinal()).isEqualTo(kept - 1);
    assertThat(exact.sequence()).isEqualTo(end);
    try (JournalFeed feed = origin.feed(exact)) {
      assertThat(feed.next()[0]).isEqualTo(JournalParts.OLDEST);
    }
    for (JournalPosition other :
        List.of(
            at(exact, 0, -1, 0),
            at(exact, 0, 1, 0),
            changedLink(exact),
            positions.get(end - 1),
            positions.get(1))) {
      assertThatThrownBy(() -> origin.feed(other).close())
          .as("%s", other)
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("made anew");
    }
    assertThatThrownBy(() -> origin.feed(positions.get(3)))
        .hasMessageContaining("Records 3 to " + (end - 1) + " were released");
    origin.feed(positions.get(end + 1)).close();
    store(origin, target);
    assertThat(target.settle()).isEqualTo(positions.getLast());
  }

  private static JournalPosition changedLink(JournalPosition p) {
    return new JournalPosition(
        p.epoch(),
        p.ordinal(),
        p.header(),
        p.size(),
        p.offset(),
        p.sequence(),
        p.chain(),
        p.link() ^ 1);
  }

  @Test
  void theLagIsTheBytesBehindAPosition() {
    assertThat(durable).isSorted();
    assertThat(durable.getLast()).isEqualTo(origin.durable());
    assertThat(origin.lag(origin.durable())).isZero();
    assertThat(origin.lag(origin.durable() + 1)).isZero();
    for (int i = 1; i < RECORDS; i++) {
      JournalPosition at = positions.get(i);
      JournalPosition next = positions.get(i + 1);
      long less = origin.lag(durable.get(i)) - origin.lag(durable.get(i + 1));
      if (at.ordinal() == next.ordinal()) {
        assertThat(less).as("record %s", i).isEqualTo(next.offset() - at.offset());
      } else {
        assertThat(less).as("record %s", i).isBetween(1_500L, 1_500L + 600);
      }
    }
  }

  /** If it was cut in the newest segment of the replica; an earlier one is refused. */
  @Test
  void whatIsCutOffHereIsCutOffThere() {
    int kept = RECORDS - 3;
    journal.truncateAfter(kept - 1);
    journal.append(record(100));
    store(origin, target);
    assertThat(target.settle().sequence()).isEqualTo(kept + 1);
    assertThat(target.durable()).isEqualTo(origin.durable());
    try (Journal copy = Journal.builder(dir.resolve("replica")).readOnly().open()) {
      for (int i = 0; i < kept; i++) {
        assertThat(copy.read(i)).isEqualTo(record(i));
      }
      assertThat(copy.read(kept)).isEqualTo(record(100));
      assertThat(copy.nextSequence()).isEqualTo(kept + 1);
    }
    journal.truncateAfter(kept - 2);
    assertThatThrownBy(() -> store(origin, target))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("made anew");
  }

  @Test
  void theHighestTermIsKeptOverRestartsAndAPromotionHasAHigherOne() {
    UUID uuid = origin.uuid();
    long id = target.id();
    for (long term : new long[] {5, 4, 5, 0}) {
      target.settle();
      target.follow(term, uuid, 0, SEGMENT);
      assertThat(target.term()).isEqualTo(5);
    }
    target.close();
    target = target("replica");
    assertThat(target.term()).isEqualTo(5);
    assertThat(target.id()).isEqualTo(id).isNotZero();
    assertThat(target.settle()).isEqualTo(positions.getLast());
    target.follow(1L << 40, uuid, 0, SEGMENT);
    long promoted = target.promote();
    assertThat(promoted).isGreaterThan(1L << 40).isEqualTo(target.term());
    assertThatThrownBy(target::promote)
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("no replica");
    target.close();
    try (Journal appended = Journal.builder(dir.resolve("replica")).open()) {
      assertThat(JournalReplication.origin(appended, "it").term()).isEqualTo(promoted);
      assertThat(appended.append(record(RECORDS))).isEqualTo(RECORDS);
    }
    target = target("replica");
    target.settle();
    target.follow(promoted - 1, uuid, 0, SEGMENT);
    assertThat(target.term()).isEqualTo(promoted);
    target.close();
    assertThatThrownBy(() -> Journal.builder(dir.resolve("replica")).open())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("is a replica");
    target = target("replica");
  }
}
