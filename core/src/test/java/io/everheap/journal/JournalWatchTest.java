package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.ChangedMedium;
import io.everheap.memory.DaxMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What those see of damage who only read, while somebody else may be appending. */
@Campaign
class JournalWatchTest {
  /** More than a block, so that an append does not write what is before it again. */
  private static final int LENGTH = 5040;

  /** A multiple of what records are aligned to, on files and on persistent memory. */
  private static final int STRIDE = LENGTH + RecordLayout.HEADER;

  @TempDir private Path temporary;

  private Path directory() {
    return temporary.resolve("j");
  }

  private Journal write() {
    return Journal.builder(directory()).segmentSize(1 << 20).open();
  }

  private Journal watch() {
    return Journal.builder(directory()).readOnly().open();
  }

  private static byte[] record(long sequence) {
    return ByteBuffer.allocate(LENGTH).putLong(sequence).array();
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(record(journal.nextSequence()));
    }
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .filter(f -> SegmentLayout.isSegment(f.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static void flip(Path file, long offset) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.seek(offset);
      int old = access.read();
      access.seek(offset);
      access.write(old ^ 1);
    }
  }

  /** Where a record of the first segment starts; durable positions take 8 bytes more, once. */
  private static long offset(long sequence) {
    return SegmentLayout.START + sequence * STRIDE;
  }

  private void requireDamageBehind(Journal watched, JournalReader reader, long records)
      throws InterruptedException {
    requireDamageBehind(watched, reader, records, true);
  }

  /**
   * Reads up to the damage.
   *
   * @param newest whether it is in the newest segment
   */
  private void requireDamageBehind(
      Journal watched, JournalReader reader, long records, boolean newest)
      throws InterruptedException {
    while (reader.nextSequence() < records) {
      assertThat(reader.next(Limit.limit())).isTrue();
      assertThat(reader.bytes()).isEqualTo(record(reader.sequence()));
    }
    assertThatThrownBy(() -> reader.next(Limit.limit()))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)")
        .hasMessageContaining("does not validate")
        .hasMessageContaining("salvage");
    assertThatThrownBy(() -> watched.read(records))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
    if (newest || !DaxMedium.supported(temporary)) {
      requireNothingBehind(watched, records);
    }
  }

  /**
   * Where an older segment is damaged, a watched journal on a file ends there, since it reads on
   * from what it knows to be durable. On persistent memory a later segment proves that all before
   * it was durable, so nothing reads what is before it until a reader comes there.
   */
  private static void requireNothingBehind(Journal watched, long records) {
    assertThat(watched.nextSequence()).isEqualTo(records);
    assertThatThrownBy(watched::info)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
    assertThatThrownBy(() -> watched.read(records + 1))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
  }

  @Test
  void a_damaged_record_in_the_newest_segment_is_named_behind_all_before_it() throws Exception {
    try (Journal journal = write()) {
      append(journal, 20);
      flip(segments().getFirst(), offset(5) + 2000);
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        requireDamageBehind(watched, reader, 5);
        append(journal, 3);
        String damaged = segments().getFirst().toString();
        assertThatThrownBy(reader::next)
            .isInstanceOfSatisfying(
                CorruptException.class,
                e -> {
                  assertThat(e.path()).hasValue(damaged);
                  assertThat(e.offset().orElseThrow()).isBetween(offset(5), offset(5) + 64);
                });
      }
    }
  }

  @Test
  void damage_that_comes_while_a_reader_waits_is_named_when_later_records_prove_it()
      throws Exception {
    try (Journal journal = write();
        Journal watched = watch();
        JournalReader reader = watched.reader()) {
      append(journal, 3);
      for (int i = 0; i < 3; i++) {
        assertThat(reader.next(Limit.limit())).isTrue();
      }
      append(journal, 10);
      flip(segments().getFirst(), offset(3) + 2000);
      requireDamageBehind(watched, reader, 3);
    }
  }

  @Test
  void damage_before_later_segments_is_named() throws Exception {
    try (Journal journal = write();
        Journal watched = watch();
        JournalReader reader = watched.reader()) {
      append(journal, 10);
      assertThat(reader.next(Limit.limit())).isTrue();
      append(journal, 300);
      flip(segments().getFirst(), offset(50) + 2000);
      requireDamageBehind(watched, reader, 50, false);
    }
  }

  @Test
  void the_damaged_header_of_the_newest_segment_is_named() throws Exception {
    try (Journal journal = write()) {
      append(journal, 250);
      int inFirst = (int) journal.segments()[1].firstSequence();
      flip(segments().get(1), SegmentLayout.FIRST);
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        for (int i = 0; i < inFirst; i++) {
          assertThat(reader.next(Limit.limit())).isTrue();
        }
        assertThatThrownBy(() -> reader.next(Limit.limit()))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
      }
    }
  }

  @Test
  void damage_at_the_very_end_is_a_torn_tail_until_something_proves_more() throws Exception {
    try (Journal journal = write()) {
      append(journal, 10);
      flip(segments().getFirst(), offset(9) + 2000);
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        assertThat(reader.forEach((s, data) -> true)).isEqualTo(9);
        assertThat(reader.next(Duration.ofMillis(300))).isFalse();
        assertThat(watched.info().nextSequence()).isEqualTo(9);
        append(journal, 2);
        requireDamageBehind(watched, reader, 9);
      }
    }
    assertThatThrownBy(this::write)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
    try (Journal watched = watch();
        JournalReader reader = watched.reader()) {
      requireDamageBehind(watched, reader, 9);
    }
  }

  @Test
  void damage_that_is_mended_is_forgotten() throws Exception {
    try (Journal journal = write()) {
      append(journal, 20);
      flip(segments().getFirst(), offset(5) + 2000);
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        requireDamageBehind(watched, reader, 5);
        flip(segments().getFirst(), offset(5) + 2000);
        Limit.until("the reader looks again and reads on", () -> readsOnTo(reader, 20));
        assertThat(watched.info().nextSequence()).isEqualTo(20);
      }
    }
  }

  /** Whether a reader comes to a sequence; damage that it has found is not mended for it yet. */
  private static boolean readsOnTo(JournalReader reader, long sequence) {
    try {
      while (reader.nextSequence() < sequence && reader.next()) {
        assertThat(reader.bytes()).isEqualTo(record(reader.sequence()));
      }
    } catch (CorruptException e) {
      return false;
    }
    return reader.nextSequence() == sequence;
  }

  /** Opening reads the newest segment; on persistent memory the large record has an older one. */
  private void writeAndReadTheLargeRecord() {
    try (Journal journal = write()) {
      journal.read(3);
    }
  }

  @Test
  void a_record_larger_than_a_segment_with_a_damaged_header_is_named() throws Exception {
    byte[] large = new byte[3 << 20];
    try (Journal journal = write()) {
      append(journal, 3);
      journal.append(large);
      append(journal, 3);
    }
    Path file =
        segments().stream().filter(f -> f.toFile().length() > 3 << 20).findFirst().orElseThrow();
    for (int field = 0; field < RecordLayout.HEADER; field += 4) {
      long offset = (long) SegmentLayout.START + field;
      flip(file, offset);
      assertThatThrownBy(this::writeAndReadTheLargeRecord)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
      assertThat(JournalCheck.verify(directory()).ok()).isFalse();
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        requireDamageBehind(watched, reader, 3, false);
      }
      flip(file, offset);
    }
    try (Journal journal = write()) {
      assertThat(journal.read(3)).isEqualTo(large);
    }
  }

  @Test
  void a_header_that_cannot_be_is_none() throws Exception {
    try (Journal journal = write()) {
      append(journal, 1);
      SegmentHeader header = journal.segments()[0].header();
      SegmentHeader impossible =
          new SegmentHeader(
              header.version(),
              header.alignment(),
              header.uuid(),
              header.epoch(),
              200,
              header.ordinal(),
              1,
              1 << 20, // but its file is shorter
              header.time(),
              header.durable(),
              header.chain());
      byte[] bytes = new byte[8192];
      System.arraycopy(
          impossible.encode(JournalLayout.MAGIC).array(), 0, bytes, 0, SegmentLayout.HEADER_SIZE);
      Files.write(directory().resolve(SegmentLayout.name(200)), bytes);
      try (Medium medium = FileMedium.watch(directory())) {
        assertThat(JournalRecovery.header(medium, header.uuid(), SegmentLayout.name(200))).isNull();
        assertThat(
                JournalRecovery.header(medium, header.uuid(), SegmentLayout.name(header.ordinal())))
            .isEqualTo(header);
      }
    }
  }

  @Test
  void a_journal_whose_files_go_is_not_silent() throws Exception {
    try (Journal journal = write()) {
      append(journal, 3);
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        assertThat(reader.forEach((s, data) -> true)).isEqualTo(3);
        Path state = directory().resolve("journal");
        Files.move(state, temporary.resolve("state"));
        assertThatThrownBy(() -> reader.next(Limit.limit()))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
        Files.move(temporary.resolve("state"), state);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_sound_journal_is_never_accused_while_somebody_appends_releases_and_cuts(boolean sync)
      throws Exception {
    int count = sync ? 1000 : 40_000;
    JournalBuilder builder = Journal.builder(directory()).segmentSize(16 << 10);
    try (Journal journal = (sync ? builder : builder.async(Duration.ofNanos(100_000))).open();
        ExecutorService executor = Executors.newFixedThreadPool(3)) {
      Future<?> appender =
          executor.submit(
              () -> {
                for (int n = 0; n < count; n++) {
                  journal.append(new byte[60 + n % 300]);
                  if (n % 500 == 499) {
                    journal.truncateBefore(Math.max(0, journal.nextSequence() - 100));
                  }
                  if (n % 700 == 699) {
                    journal.truncateAfter(journal.nextSequence() - 30);
                  }
                }
              });
      List<Future<?>> watchers = new ArrayList<>();
      watchers.add(
          executor.submit(
              () -> {
                while (!appender.isDone()) {
                  try (Journal watched = watch();
                      JournalReader reader = watched.reader()) {
                    readOn(reader);
                    watched.info();
                  }
                }
              }));
      watchers.add(
          executor.submit(
              () -> {
                while (!appender.isDone()) {
                  assertThat(JournalCheck.verify(directory()).problems()).isEmpty();
                }
              }));
      try (Journal watched = watch();
          JournalReader reader = watched.reader()) {
        while (!appender.isDone()) {
          readOn(reader);
        }
      }
      Limit.get(appender);
      for (Future<?> watcher : watchers) {
        Limit.get(watcher);
      }
    }
  }

  @Test
  void a_check_does_not_need_a_file_that_is_used_under_another_name_just_then() throws Exception {
    try (Journal journal = write()) {
      append(journal, 3);
    }
    Path spare = directory().resolve(SegmentLayout.name(1000));
    Files.write(spare, new byte[1 << 20]);
    try (Medium medium =
        ChangedMedium.of(
            FileMedium.watch(directory()),
            (operation, arguments) -> {
              if (operation.equals("open") && arguments[0].equals(SegmentLayout.name(1000))) {
                Files.deleteIfExists(spare);
              }
            })) {
      assertThat(JournalCheck.of(medium, (done, all) -> {}).problems()).isEmpty();
      assertThat(spare).doesNotExist();
    }
  }

  @Test
  void a_check_does_not_accuse_a_journal_that_releases_segments_at_each_look() {
    int[] looks = new int[1];
    try (Journal journal =
            MediumSetting.withoutThreads(Journal.builder(directory()))
                .segmentSize(1 << 20)
                .async(Duration.ofSeconds(1))
                .open();
        Medium medium =
            ChangedMedium.of(
                FileMedium.watch(directory()),
                (operation, arguments) -> {
                  if (operation.equals("list") && ++looks[0] <= 6) {
                    journal.truncateBefore(1000 + 250L * looks[0]);
                  }
                })) {
      append(journal, 3000);
      journal.truncateBefore(1000); // more files than are kept; the next ones are deleted
      assertThat(JournalCheck.retrying(medium, (done, all) -> {}).problems()).isEmpty();
      assertThat(looks[0]).isEqualTo(7);
    }
  }

  private static void readOn(JournalReader reader) {
    try {
      while (reader.next()) {
        assertThat(reader.sequence()).isNotNegative();
      }
    } catch (GoneException e) {
      reader.seek(Math.clamp(reader.nextSequence(), e.first(), e.next()));
    }
  }

  @Test
  void what_is_gone_names_a_range_also_when_the_end_was_looked_at_long_ago() {
    RecordSource source =
        new RecordSource() {
          @Override
          public String location() {
            return "nowhere";
          }

          @Override
          public JournalState state() {
            throw new UnsupportedOperationException();
          }

          @Override
          public void cache(SegmentCache cache) {}

          @Override
          public Segment[] segments() {
            return new Segment[0];
          }

          @Override
          public long first() {
            return 100;
          }

          @Override
          public long visible() {
            return 50;
          }

          @Override
          public int cuts() {
            return 0;
          }

          @Override
          public boolean await(long sequence, long nanos) {
            return false;
          }

          @Override
          public boolean refresh() {
            return false;
          }

          @Override
          public void requireEnd() {}

          @Override
          public void check() {}

          @Override
          public void close() {}
        };
    try (Cursor cursor = new Cursor(source, new SegmentCache(), 10)) {
      assertThatThrownBy(cursor::advance)
          .isInstanceOfSatisfying(
              GoneException.class, e -> assertThat(e.next()).isGreaterThanOrEqualTo(e.first()));
    }
  }
}
