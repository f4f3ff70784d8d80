package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.BackupException;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.MemoryMedium;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times of records at the ends of segments: search, retention and restore by time. */
class JournalTimesTest {
  private static final long NOON = 1_700_000_000_000L;
  private static final int SEGMENT = 16 << 10;

  /** A record of which one fits into a segment. */
  private static final byte[] LARGE = new byte[12_000];

  /** A record of which several fit into a segment. */
  private static final byte[] SMALL = new byte[2_500];

  @TempDir Path dir;
  private final MemoryMedium memory = new MemoryMedium();
  private final AtomicLong now = new AtomicLong(NOON);

  private JournalBuilder builder() {
    return in("journal").timestamps().clock((sequence, last) -> now.get());
  }

  /** A journal that can be opened again. */
  private JournalBuilder in(String directory) {
    return MediumSetting.withoutThreads(
        MediumSetting.medium(
            Journal.builder(dir).segmentSize(SEGMENT), new SubdirectoryMedium(memory, directory)));
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  private static long[] firsts(Journal journal) {
    return Arrays.stream(journal.segments()).mapToLong(Segment::firstSequence).toArray();
  }

  // ---- Search --------------------------------------------------------------------------------

  /** How times grow with sequences. */
  private static LongUnaryOperator shape(String name) {
    return switch (name) {
      case "one each" -> sequence -> NOON + sequence;
      case "far apart" -> sequence -> NOON + 1000 * sequence;
      case "three alike" -> sequence -> NOON + sequence / 3;
      case "all alike" -> sequence -> NOON;
      case "alike over a whole segment" -> sequence -> NOON + sequence / 17;
      case "a jump" -> sequence -> sequence < 12 ? NOON : NOON + 1_000_000;
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "one each",
        "far apart",
        "three alike",
        "all alike",
        "alike over a whole segment",
        "a jump"
      })
  void theFirstRecordSinceEachTimeIsFound(String shape) {
    LongUnaryOperator times = shape(shape);
    int count = 40;
    try (Journal journal =
        builder().clock((sequence, last) -> times.applyAsLong(sequence)).open()) {
      for (int i = 0; i < count; i++) {
        journal.append(SMALL);
      }
      assertThat(firsts(journal)).hasSizeGreaterThan(5);
      for (long sequence = 0; sequence < count; sequence++) {
        long time = times.applyAsLong(sequence);
        for (long millis = time - 1; millis <= time + 1; millis++) {
          long wanted = millis;
          long expected = 0;
          while (expected < count && times.applyAsLong(expected) < wanted) {
            expected++;
          }
          assertThat(journal.firstSince(at(millis)))
              .as("since %s ms after noon", millis - NOON)
              .isEqualTo(expected == count ? OptionalLong.empty() : OptionalLong.of(expected));
        }
      }
    }
  }

  /** The clock tells whole milliseconds, so a record of the same one may be as new. */
  @Test
  void aTimeWithinTheMillisecondOfARecordFindsTheRecord() {
    try (Journal journal = builder().clock((sequence, last) -> NOON + 10 * sequence).open()) {
      for (int i = 0; i < 4; i++) {
        journal.append(LARGE);
      }
      Instant second = at(NOON + 10);
      assertThat(journal.firstSince(second.minusNanos(1))).hasValue(1);
      assertThat(journal.firstSince(second.plusNanos(999_999))).hasValue(1);
      assertThat(journal.firstSince(second.plusNanos(1_000_000))).hasValue(2);
    }
  }

  @Test
  void theFurthestTimesAreBeforeAndAfterAllRecords() {
    try (Journal journal = builder().open()) {
      assertThat(journal.firstSince(Instant.MIN)).isEmpty();
      journal.append(LARGE);
      journal.append(LARGE);
      assertThat(journal.firstSince(Instant.MIN)).hasValue(0);
      assertThat(journal.firstSince(Instant.EPOCH)).hasValue(0);
      assertThat(journal.firstSince(Instant.MAX)).isEmpty();
    }
  }

  /** A segment's header has a time also if its records have none. */
  @Test
  void withoutTimesTheFirstRecordOfASegmentIsFoundThatMayHoldTheTime() {
    try (Journal journal = in("journal").clock((sequence, last) -> NOON + 10 * sequence).open()) {
      for (int i = 0; i < 30; i++) {
        journal.append(SMALL);
      }
      Segment[] all = journal.segments();
      for (int i = 1; i < all.length; i++) {
        long begun = all[i].header().time();
        assertThat(begun).isGreaterThan(all[i - 1].header().time());
        assertThat(journal.firstSince(at(begun))).hasValue(all[i - 1].firstSequence());
        assertThat(journal.firstSince(at(begun + 1))).hasValue(all[i].firstSequence());
      }
      assertThat(journal.firstSince(at(NOON - 1))).hasValue(0);
      assertThat(journal.firstSince(at(NOON + 1_000)))
          .hasValue(all[all.length - 1].firstSequence());
    }
  }

  /** Appends, cuts and openings in any order; the last two leave segments without records. */
  @Test
  void theSearchIsRightWhateverWasReleasedCutOffOrOpenedAgain() {
    Random random = new Random(Seeds.seed());
    TreeMap<Long, Long> model = new TreeMap<>();
    Journal journal = builder().open();
    long last = NOON;
    try {
      for (int step = 0; step < 150; step++) {
        now.addAndGet(random.nextInt(3));
        long first = journal.firstSequence();
        long next = journal.nextSequence();
        switch (random.nextInt(12)) {
          case 0 -> {
            journal.close();
            journal = builder().open();
          }
          case 1 -> {
            long sequence = first + random.nextLong(Math.min(4, next - first) + 1);
            journal.truncateBefore(sequence);
            model.headMap(sequence).clear();
          }
          case 2 -> {
            long sequence = Math.max(first - 1, next - 1 - random.nextInt(6));
            journal.truncateAfter(sequence);
            model.tailMap(sequence, false).clear();
          }
          case 3 -> {
            journal.appendAll(List.of(SMALL, new byte[0]));
            model.put(next, now.get());
            model.put(next + 1, now.get());
          }
          default -> {
            journal.append(random.nextBoolean() ? SMALL : LARGE);
            model.put(next, now.get());
          }
        }
        last = now.get();
        requireSearch(journal, model, last - random.nextInt(20));
        requireSearch(journal, model, last);
        requireSearch(journal, model, last + 1);
        if (!model.isEmpty()) {
          requireSearch(journal, model, model.firstEntry().getValue());
          requireSearch(journal, model, model.firstEntry().getValue() - 1);
          for (long begin : firsts(journal)) {
            long time = model.getOrDefault(begin, last);
            requireSearch(journal, model, time);
            requireSearch(journal, model, time + 1);
          }
        }
      }
    } finally {
      journal.close();
    }
  }

  private static void requireSearch(Journal journal, Map<Long, Long> model, long millis) {
    OptionalLong expected =
        model.entrySet().stream()
            .filter(entry -> entry.getValue() >= millis)
            .mapToLong(Map.Entry::getKey)
            .findFirst();
    assertThat(journal.firstSince(at(millis))).isEqualTo(expected);
  }

  @Test
  void aReaderTellsTheTimeOfEachRecord() {
    now.set(NOON);
    try (Journal journal = builder().open()) {
      for (int i = 0; i < 20; i++) {
        now.set(NOON + 7L * i);
        journal.append(SMALL);
      }
      now.set(NOON + 1000);
      journal.appendAll(List.of(SMALL, LARGE, SMALL));
      Claim claim = journal.claim(10);
      claim.commit();
    }
    now.set(NOON + 2000);
    try (Journal journal = builder().open();
        JournalReader reader = journal.reader()) {
      for (int i = 0; i < 20; i++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.time()).contains(at(NOON + 7L * i));
      }
      for (int i = 0; i < 4; i++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.time()).contains(at(NOON + 1000));
      }
    }
  }

  // ---- A clock that goes back ----------------------------------------------------------------

  @Test
  void theSystemClockDoesNotGoBackBehindTheRecordBefore() {
    long before = System.currentTimeMillis();
    long time = JournalOptions.CLOCK.applyAsLong(5, before - 1_000_000);
    assertThat(time).isBetween(before, System.currentTimeMillis());
    long future = before + 1_000_000_000;
    assertThat(JournalOptions.CLOCK.applyAsLong(5, future)).isEqualTo(future);
  }

  /** Search and restore find segments by their times, which must not go back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theTimesOfAJournalThatIsOpenedAgainDoNotGoBack(boolean timestamps) {
    JournalBuilder builder = in("journal").clock((sequence, last) -> Math.max(last, now.get()));
    if (timestamps) {
      builder.timestamps();
    }
    try (Journal journal = builder.open()) {
      journal.append(SMALL);
      now.addAndGet(timestamps ? 100 : 0);
      journal.append(SMALL);
    }
    now.addAndGet(-50); // the clock was set back
    try (Journal journal = builder.open()) {
      Segment[] all = journal.segments();
      assertThat(all[all.length - 1].header().time()).isEqualTo(NOON + (timestamps ? 100 : 0));
      journal.append(SMALL);
      if (timestamps) {
        assertThat(journal.firstSince(at(NOON + 100))).hasValue(1);
        assertThat(journal.firstSince(at(NOON + 101))).isEmpty();
      }
    }
    try (Journal journal = builder.open()) { // behind a segment without records
      Segment[] all = journal.segments();
      assertThat(all).extracting(segment -> segment.header().time()).isSorted();
    }
    try (Journal journal = builder.open()) {
      Segment[] all = journal.segments();
      assertThat(all[all.length - 1].header().time()).isEqualTo(NOON + (timestamps ? 100 : 0));
    }
  }

  // ---- Retention -----------------------------------------------------------------------------

  /** Appends a record to each of four segments, which begin 1 s, 2 s, 3 s and 4 s after noon. */
  private void fillFour(Journal journal) {
    for (int i = 0; i < 4; i++) {
      now.set(NOON + 1000L * (i + 1));
      journal.append(LARGE);
    }
  }

  /** A segment stays until the next one began longer ago than the age. */
  @ParameterizedTest
  @CsvSource({
    "1, 2", "999, 2", "1000, 1", "1001, 1", "1999, 1", "2000, 0", "2001, 0", "2999, 0", "3000, 0",
    "3001, 0"
  })
  void segmentsAreReleasedWhenTheNextOneIsOlderThanTheAge(long age, long first) {
    try (Journal journal = builder().retainFor(Duration.ofMillis(age)).open()) {
      fillFour(journal);
      assertThat(journal.firstSequence()).isEqualTo(first);
      assertThat(firsts(journal)[0]).isEqualTo(first);
      assertThat(journal.firstSince(Instant.EPOCH)).hasValue(first);
    }
  }

  @Test
  void agesAreCheckedOnlyWhenASegmentBegins() {
    try (Journal journal = builder().retainFor(Duration.ofMillis(10)).open()) {
      now.set(NOON);
      journal.append(LARGE);
      journal.append(LARGE);
      now.set(NOON + 1_000_000);
      journal.append(new byte[8]);
      assertThat(journal.firstSequence()).isZero();
      journal.append(LARGE);
      assertThat(journal.firstSequence()).isEqualTo(1); // the last one that began in time
      journal.append(LARGE);
      assertThat(journal.firstSequence()).isEqualTo(1);
      now.addAndGet(10);
      journal.append(LARGE);
      assertThat(journal.firstSequence()).isEqualTo(1);
      now.addAndGet(1);
      journal.append(LARGE);
      assertThat(journal.firstSequence()).isEqualTo(4);
    }
  }

  @Test
  void anAgeBelowAMillisecondIsOne() {
    try (Journal journal = builder().retainFor(Duration.ofNanos(1)).open()) {
      for (int i = 0; i < 4; i++) {
        now.addAndGet(1);
        journal.append(LARGE);
      }
      assertThat(journal.firstSequence()).isEqualTo(1);
    }
  }

  @Test
  void theLongestAgeReleasesNothing() {
    try (Journal journal = builder().retainFor(ChronoUnit.FOREVER.getDuration()).open()) {
      fillFour(journal);
      assertThat(journal.firstSequence()).isZero();
    }
  }

  /** The newest segments stay that together have at least so many bytes. */
  @ParameterizedTest
  @CsvSource({"1, 3", "16383, 3", "16384, 3", "16385, 2", "32768, 2", "32769, 1", "65536, 0"})
  void segmentsAreReleasedWhenTheNewerOnesHaveTheBytes(long bytes, long first) {
    try (Journal journal = builder().retainBytes(bytes).open()) {
      fillFour(journal);
      assertThat(journal.segments()).extracting(s -> s.header().size()).containsOnly(16384L);
      assertThat(journal.firstSequence()).isEqualTo(first);
    }
  }

  /** Whichever limit asks for more. */
  @ParameterizedTest
  @CsvSource({"1, 999, 3", "65536, 999, 2", "32768, 2000, 2", "32769, 1000, 1", "65536, 2000, 0"})
  void bothLimitsReleaseSegments(long bytes, long age, long first) {
    try (Journal journal = builder().retainBytes(bytes).retainFor(Duration.ofMillis(age)).open()) {
      fillFour(journal);
      assertThat(journal.firstSequence()).isEqualTo(first);
    }
  }

  @Test
  void withoutALimitNothingIsReleased() {
    try (Journal journal = builder().open()) {
      fillFour(journal);
      now.addAndGet(Duration.ofDays(10_000).toMillis());
      journal.append(LARGE);
      assertThat(journal.firstSequence()).isZero();
    }
  }

  @Test
  void aClockThatWentBackReleasesNothing() {
    try (Journal journal = builder().retainFor(Duration.ofMillis(1500)).open()) {
      now.set(NOON);
      journal.append(LARGE);
      journal.append(LARGE);
      now.set(NOON - 10_000);
      journal.append(LARGE);
      journal.append(LARGE);
      assertThat(journal.firstSequence()).isZero();
    }
  }

  // ---- Restore -------------------------------------------------------------------------------

  private JournalBackups backups() {
    return JournalBackups.in(dir.resolve("backups"));
  }

  private int restored;

  private long restore(Instant time) {
    String target = "restored-" + restored++;
    JournalBackup backup = backups().newest();
    JournalRestoreReport report =
        backups()
            .restore(
                backup,
                new JournalPoint.Time(time),
                () -> new SubdirectoryMedium(memory, target),
                BackupProgress.NONE);
    try (Journal copy = in(target).open()) {
      assertThat(copy.nextSequence()).isEqualTo(report.nextSequence());
      assertThat(copy.firstSequence()).isEqualTo(report.firstSequence());
      try (JournalReader reader = copy.reader()) {
        while (reader.next()) {
          assertThat(reader.time().orElseThrow()).isBeforeOrEqualTo(time);
        }
        assertThat(reader.nextSequence()).isEqualTo(report.nextSequence());
      }
    }
    return report.nextSequence();
  }

  private long restore(long millisAfterNoon) {
    return restore(at(NOON + millisAfterNoon));
  }

  /** The last record of a segment, the first one of the next, and a millisecond beside each. */
  @Test
  void aJournalIsRestoredUpToEachTimeAtTheEndOfASegment() {
    long[] begins;
    try (Journal journal = builder().clock((sequence, last) -> NOON + 10 * sequence).open()) {
      for (int i = 0; i < 14; i++) {
        journal.append(SMALL);
      }
      begins = firsts(journal);
      assertThat(begins).hasSize(4);
      backups().take(journal);
    }
    for (long begin : new long[] {begins[1], begins[2]}) {
      assertThat(restore(10 * begin - 11)).isEqualTo(begin - 1);
      assertThat(restore(10 * begin - 10)).isEqualTo(begin);
      assertThat(restore(10 * begin - 1)).isEqualTo(begin);
      assertThat(restore(10 * begin)).isEqualTo(begin + 1);
      assertThat(restore(10 * begin + 1)).isEqualTo(begin + 1);
    }
    assertThat(restore(at(NOON + 10).minusNanos(1))).isEqualTo(1);
    assertThat(restore(at(NOON + 10).plusNanos(1))).isEqualTo(2);
    assertThat(restore(0)).isEqualTo(1);
    assertThat(restore(10 * 13 - 1)).isEqualTo(13);
    assertThat(restore(10 * 13)).isEqualTo(14);
    assertThat(restore(Instant.MAX)).isEqualTo(14);
    assertTooOld(at(NOON - 1));
    assertTooOld(Instant.MIN);
  }

  private void assertTooOld(Instant time) {
    assertThatThrownBy(() -> restore(time))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("choose an earlier backup");
  }

  @Test
  void equalTimesOnBothSidesOfASegmentsEndAreRestoredTogether() {
    try (Journal journal = builder().clock((sequence, last) -> NOON + sequence / 9).open()) {
      for (int i = 0; i < 20; i++) {
        journal.append(SMALL);
      }
      assertThat(firsts(journal)).hasSizeGreaterThan(3).doesNotContain(9, 18);
      backups().take(journal);
    }
    assertThat(restore(0)).isEqualTo(9);
    assertThat(restore(1)).isEqualTo(18);
    assertThat(restore(2)).isEqualTo(20);
  }

  @Test
  void aBatchIsRestoredIfItsLastRecordIsNotLater() {
    try (Journal journal = builder().clock((sequence, last) -> NOON + 10 * sequence).open()) {
      journal.append(SMALL);
      journal.appendAll(List.of(SMALL, SMALL, SMALL)); // 10, 20, 30
      journal.append(SMALL);
      backups().take(journal);
    }
    assertThat(restore(9)).isEqualTo(1);
    assertThat(restore(10)).isEqualTo(1);
    assertThat(restore(29)).isEqualTo(1);
    assertThat(restore(30)).isEqualTo(4);
    assertThat(restore(40)).isEqualTo(5);
  }

  @Test
  void aTimeBeforeTheOldestRecordIsNotReachedThoughItsSegmentIsThere() {
    try (Journal journal = builder().clock((sequence, last) -> NOON + 10 * sequence).open()) {
      for (int i = 0; i < 12; i++) {
        journal.append(SMALL);
      }
      long first = firsts(journal)[1] + 1; // in the middle of a segment
      journal.truncateBefore(first);
      backups().take(journal);
      assertTooOld(at(NOON + 10 * first - 1));
      assertThat(restore(10 * first)).isEqualTo(first + 1);
    }
  }

  @Test
  void restoringIsRightThoughSegmentsWithoutRecordsAreBetween() {
    List<Long> times = new ArrayList<>();
    for (int opening = 0; opening < 3; opening++) {
      builder().open().close(); // leaves no record
      try (Journal journal = builder().open()) {
        now.addAndGet(5); // later than the header
        for (int i = 0; i < 3; i++) {
          journal.append(SMALL);
          times.add(now.get());
          now.addAndGet(1);
        }
        if (opening == 2) {
          backups().take(journal);
        }
      }
      now.addAndGet(5);
    }
    assertThat(times).isSortedAccordingTo(Comparator.naturalOrder());
    for (long time = times.get(2); time <= times.get(3); time++) {
      assertThat(restore(at(time))).isEqualTo(time == times.get(3) ? 4 : 3);
    }
  }

  @Test
  void theOldestBackupThatWasMadeLaterReachesATime() {
    JournalBackup first;
    JournalBackup second;
    try (Journal journal = builder().open()) {
      journal.append(SMALL);
      first = backups().take(journal);
      Instant created = first.created();
      Limit.until("the clock goes on", () -> System.currentTimeMillis() > created.toEpochMilli());
      journal.append(SMALL);
      second = backups().take(journal);
    }
    assertThat(reaching(first.created().minusMillis(1))).isEqualTo(first.name());
    assertThat(reaching(first.created())).isEqualTo(second.name());
    assertThat(reaching(second.created().minusMillis(1))).isEqualTo(second.name());
    assertThatThrownBy(() -> reaching(second.created())).isInstanceOf(BackupException.class);
  }

  private String reaching(Instant time) {
    return backups().reaching(new JournalPoint.Time(time)).name();
  }

  // ---- Backups -------------------------------------------------------------------------------

  @Test
  void theBackupThatWasMadeLastIsTheNewestAlsoIfTheClockWasSetBack() {
    JournalBackups backups = JournalBackups.in(dir.resolve("backups"), now::get);
    try (Journal journal = builder().open()) {
      journal.append(SMALL);
      backups.take(journal);
      now.addAndGet(-1_000_000);
      journal.append(SMALL);
      JournalBackup second = backups.take(journal);
      journal.append(SMALL);
      JournalBackup third = backups.take(journal, Backup.Kind.INCREMENTAL);
      assertThat(backups.newest()).isEqualTo(third);
      backups.restore(backups.newest(), dir.resolve("restored"));
      assertThat(backups.keep(1)).hasSize(1);
      assertThat(backups.list()).containsExactly(second, third);
    }
    try (Journal restored = Journal.open(dir.resolve("restored"))) {
      assertThat(restored.nextSequence()).isEqualTo(3);
    }
  }
}
