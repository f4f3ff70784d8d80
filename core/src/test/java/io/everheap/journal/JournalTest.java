package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.error.GoneException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.error.ReadOnlyException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Campaign
class JournalTest {
  private static final long NOON = 1_700_000_000_000L;

  @TempDir private Path directory;

  private JournalBuilder builder(boolean sync) {
    JournalBuilder builder = Journal.builder(directory.resolve("j")).segmentSize(64 << 10);
    return sync ? builder : builder.async(Duration.ofMillis(5));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(long sequence) {
    byte[] bytes = new byte[(int) (sequence * 37 % 900)];
    new Random(sequence).nextBytes(bytes);
    return bytes;
  }

  private static void requireAll(Journal journal, long from, long to) {
    try (JournalReader reader = journal.reader(from)) {
      for (long s = from; s < to; s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.sequence()).isEqualTo(s);
        assertThat(reader.bytes()).isEqualTo(bytes(s));
      }
      assertThat(reader.next()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_was_appended_is_read_in_order_also_after_reopening(boolean sync) {
    int count = sync ? 400 : 5000;
    try (Journal journal = builder(sync).open()) {
      for (long s = 0; s < count; s++) {
        assertThat(journal.append(bytes(s))).isEqualTo(s);
      }
      requireAll(journal, 0, count);
      assertThat(journal.info().segments()).isGreaterThan(2);
    }
    for (int i = 0; i < 3; i++) {
      try (Journal journal = builder(sync).open()) {
        assertThat(journal.nextSequence()).isEqualTo(count + i);
        requireAll(journal, 0, count + i);
        assertThat(journal.append(bytes(count + i))).isEqualTo(count + i);
        assertThat(journal.info().recovered()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void all_kinds_of_memory_can_be_appended(boolean sync) throws Exception {
    try (Journal journal = builder(sync).open();
        Arena arena = Arena.ofConfined()) {
      journal.append(text("array"));
      journal.append(text("xpartx"), 1, 4);
      ByteBuffer heap = ByteBuffer.wrap(text("-heap-"));
      heap.position(1).limit(5);
      journal.append(heap.slice());
      journal.append(heap);
      assertThat(heap.hasRemaining()).isFalse();
      ByteBuffer direct = ByteBuffer.allocateDirect(6).put(text("direct")).flip();
      journal.append(direct.asReadOnlyBuffer());
      journal.append(arena.allocateFrom("native"));
      journal.append(new byte[0]);
      try (Claim claim = journal.claim(5)) {
        claim.memory().copyFrom(MemorySegment.ofArray(text("claim")));
        assertThat(claim.commit()).isEqualTo(7);
      }
      assertThat(journal.appendAll(List.of(text("one"), text("two")))).isEqualTo(8);
      assertThat(Limit.get(journal.appendAsync(text("later")))).isEqualTo(10);
      List<String> found = new ArrayList<>();
      try (JournalReader reader = journal.reader()) {
        reader.forEach(
            (s, data) ->
                found.add(new String(data.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
      }
      assertThat(found)
          .hasSize(journal.durableSequence() < 11 ? found.size() : 11)
          .startsWith(
              "array", "part", "heap", "heap", "direct", "native\0", "", "claim", "one", "two");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_record_may_be_larger_than_a_segment(boolean sync) {
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    try (Journal journal = builder(sync).open()) {
      journal.append(text("before"));
      assertThat(journal.append(large)).isEqualTo(1);
      assertThat(journal.append(large)).isEqualTo(2);
      journal.append(text("behind"));
    }
    try (Journal journal = builder(sync).open()) {
      assertThat(journal.read(0)).isEqualTo(text("before"));
      assertThat(journal.read(1)).isEqualTo(large);
      assertThat(journal.read(2)).isEqualTo(large);
      assertThat(journal.read(3)).isEqualTo(text("behind"));
      try (Claim claim = journal.claim(1 << 20)) {
        claim.memory().fill((byte) 7);
        claim.commit();
      }
      assertThat(journal.read(4)).hasSize(1 << 20).containsOnly(7);
    }
  }

  @Test
  void any_record_can_be_read_by_its_sequence() {
    try (Journal journal = builder(false).open()) {
      for (long s = 0; s < 20_000; s++) {
        journal.append(bytes(s));
      }
      Random random = new Random(5);
      for (int i = 0; i < 2000; i++) {
        long s = random.nextInt(20_000);
        assertThat(journal.read(s)).isEqualTo(bytes(s));
      }
      assertThatThrownBy(() -> journal.read(20_000))
          .isInstanceOf(GoneException.class)
          .hasMessageContaining("(EH-RECORD-GONE)");
      assertThatIllegalArgumentException().isThrownBy(() -> journal.read(-1));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void released_records_are_gone_and_their_segments_used_again(boolean sync) {
    try (Journal journal = builder(sync).open()) {
      for (long s = 0; s < 3000; s++) {
        journal.append(bytes(s));
        if (s % 100 == 99) {
          journal.truncateBefore(s - 50);
          assertThat(journal.firstSequence()).isEqualTo(s - 50);
        }
      }
      journal.truncateBefore(10);
      assertThat(journal.firstSequence()).isEqualTo(2949);
      assertThat(journal.info().segments()).isLessThan(4);
      assertThat(directory.resolve("j").toFile().list()).hasSizeLessThan(13);
      requireAll(journal, 2949, 3000);
      assertThatThrownBy(() -> journal.read(2948))
          .isInstanceOf(GoneException.class)
          .hasMessageContaining("(EH-RECORD-GONE)");
      assertThatIllegalArgumentException().isThrownBy(() -> journal.truncateBefore(3001));
      journal.truncateBefore(3000);
    }
    try (Journal journal = builder(sync).open()) {
      assertThat(journal.firstSequence()).isEqualTo(3000);
      assertThat(journal.append(bytes(3000))).isEqualTo(3000);
      requireAll(journal, 3000, 3001);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void records_that_were_cut_off_never_come_back(boolean sync) {
    try (Journal journal = builder(sync).open()) {
      for (long s = 0; s < 1000; s++) {
        journal.append(bytes(s));
      }
      journal.truncateAfter(499);
      assertThat(journal.nextSequence()).isEqualTo(500);
      requireAll(journal, 0, 500);
      assertThat(journal.append(bytes(500))).isEqualTo(500);
      journal.truncateAfter(500);
      journal.truncateAfter(300);
      for (long s = 301; s < 700; s++) {
        assertThat(journal.append(bytes(s))).isEqualTo(s);
      }
      requireAll(journal, 0, 700);
      assertThat(journal.durableSequence()).isGreaterThanOrEqualTo(sync ? 700 : 301);
    }
    try (Journal journal = builder(sync).open()) {
      requireAll(journal, 0, 700);
      journal.truncateAfter(-1);
      assertThat(journal.nextSequence()).isZero();
      assertThat(journal.append(bytes(0))).isZero();
    }
    try (Journal journal = builder(sync).open()) {
      requireAll(journal, 0, 1);
      assertThatIllegalArgumentException().isThrownBy(() -> journal.truncateAfter(1));
      assertThatIllegalArgumentException().isThrownBy(() -> journal.truncateAfter(-2));
    }
  }

  @Test
  void a_reader_waits_for_records_to_come() throws Exception {
    try (Journal journal = builder(true).open();
        JournalReader reader = journal.reader()) {
      assertThat(reader.next(Duration.ofMillis(1))).isFalse();
      Thread appender = Thread.ofVirtual().start(() -> journal.append(text("hello")));
      assertThat(reader.next(Limit.limit())).isTrue();
      assertThat(reader.bytes()).isEqualTo(text("hello"));
      Limit.join(appender);
    }
  }

  @Test
  void a_follower_gets_all_records_until_the_journal_is_closed() throws Exception {
    Journal journal = builder(false).open();
    List<Long> got = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(1000);
    Thread follower =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (JournalReader reader = journal.reader()) {
                    reader.follow(
                        (s, data) -> {
                          all.countDown();
                          return got.add(s);
                        });
                  } catch (ClosedException e) {
                    got.add(-1L);
                  } catch (InterruptedException e) {
                    got.add(-2L);
                  }
                });
    for (int i = 0; i < 1000; i++) {
      journal.append(bytes(i));
    }
    Limit.await(all);
    journal.close();
    Limit.join(follower);
    assertThat(got).hasSize(1001).endsWith(999L, -1L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void another_process_reads_what_is_appended_released_and_cut(boolean sync) {
    try (Journal journal = builder(sync).open()) {
      for (long s = 0; s < 10; s++) {
        journal.append(bytes(s));
      }
      try (Journal watched = builder(true).readOnly().open();
          JournalReader reader = watched.reader()) {
        assertThat(watched.nextSequence()).isEqualTo(10);
        for (long s = 10; s < 2000; s++) {
          journal.append(bytes(s));
        }
        for (long s = 0; s < 2000; s++) {
          Limit.until("the next record", reader::next);
          assertThat(reader.sequence()).isEqualTo(s);
          assertThat(reader.bytes()).isEqualTo(bytes(s));
        }
        journal.truncateAfter(1500);
        journal.append(text("new"));
        assertThatThrownBy(() -> Limit.until("the cut", reader::next))
            .isInstanceOf(GoneException.class)
            .hasMessageContaining("(EH-RECORD-GONE)");
        reader.seek(1501);
        Limit.until("the new record", reader::next);
        assertThat(reader.bytes()).isEqualTo(text("new"));
        journal.truncateBefore(1400);
        Limit.until(
            "the release", () -> watched.nextSequence() > 0 && watched.firstSequence() >= 1400);
        assertThatThrownBy(() -> watched.read(10))
            .isInstanceOf(GoneException.class)
            .hasMessageContaining("(EH-RECORD-GONE)");
        assertThat(watched.read(1400)).isEqualTo(bytes(1400));
        assertThatThrownBy(() -> watched.append(new byte[1]))
            .isInstanceOf(ReadOnlyException.class)
            .hasMessageContaining("(EH-JOURNAL-READ-ONLY)");
      }
    }
  }

  @Test
  void a_claim_that_is_aborted_leaves_nothing() {
    try (Journal journal = builder(true).open()) {
      Claim claim = journal.claim(100);
      assertThatIllegalStateException().isThrownBy(() -> journal.append(new byte[1]));
      claim.memory().fill((byte) 1);
      claim.abort();
      assertThatIllegalStateException().isThrownBy(claim::commit);
      assertThat(journal.append(text("next"))).isZero();
      assertThat(journal.read(0)).isEqualTo(text("next"));
    }
  }

  @Test
  void records_can_be_found_by_time() {
    try (Journal journal =
        builder(true).timestamps().clock((sequence, last) -> NOON + sequence / 10).open()) {
      for (long s = 0; s < 500; s++) {
        journal.append(bytes(s));
      }
      assertThat(journal.firstSince(Instant.ofEpochMilli(NOON - 1))).hasValue(0);
      assertThat(journal.firstSince(Instant.ofEpochMilli(NOON + 50))).isEmpty();
      try (JournalReader reader = journal.reader(405)) {
        reader.next();
        Instant time = reader.time().orElseThrow();
        assertThat(time).isEqualTo(Instant.ofEpochMilli(NOON + 40));
        assertThat(journal.firstSince(time)).hasValue(400);
      }
    }
  }

  @Test
  void old_segments_are_released_by_size() {
    try (Journal journal = builder(false).retainBytes(200 << 10).open()) {
      for (long s = 0; s < 5000; s++) {
        journal.append(bytes(s));
      }
      assertThat(journal.firstSequence()).isPositive();
      assertThat(journal.info().bytes()).isBetween(200L << 10, 400L << 10);
      requireAll(journal, journal.firstSequence(), 5000);
    }
  }

  @Test
  void old_segments_are_released_by_age() {
    Duration age = Duration.ofHours(1);
    AtomicLong now = new AtomicLong(NOON);
    try (Journal journal =
        builder(false).retainFor(age).clock((sequence, last) -> now.get()).open()) {
      append(journal, 1000);
      journal.force();
      now.addAndGet(age.toMillis());
      append(journal, 500);
      assertThat(journal.firstSequence()).as("nothing is older than an hour").isZero();
      now.addAndGet(1);
      append(journal, 500);
      assertThat(journal.firstSequence()).isBetween(500L, 1000L);
      requireAll(journal, journal.firstSequence(), 2000);
    }
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(bytes(journal.nextSequence()));
    }
  }

  @Test
  void a_path_that_is_no_directory_is_refused() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "no journal");
    assertThatThrownBy(() -> Journal.open(file))
        .isInstanceOf(EverheapException.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> Journal.builder(file).readOnly().open())
        .isInstanceOf(EverheapException.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("no journal");
  }

  @Test
  void files_of_others_in_its_directory_are_left_alone() throws Exception {
    Path other = directory.resolve("j/notes.txt");
    builder(true).open().close();
    Files.writeString(other, "mine");
    for (int i = 0; i < 3; i++) {
      try (Journal journal = builder(true).open()) {
        journal.append(bytes(i));
      }
    }
    assertThat(other).hasContent("mine");
  }

  @Test
  void a_directory_with_other_files_does_not_become_a_journal() throws Exception {
    Path other = Files.createDirectories(directory.resolve("j")).resolve("notes.txt");
    Files.writeString(other, "mine");
    assertThatThrownBy(() -> builder(true).open())
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("j is not a journal: it holds other files (notes.txt)");
    try (Heap heap = Heap.open(directory.resolve("heap"))) {
      assertThat(heap.isOpen()).isTrue();
    }
    assertThatThrownBy(() -> Journal.open(directory.resolve("heap")))
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("heap is not a journal: it is a heap");
    assertThat(directory.resolve("heap/journal")).doesNotExist();
    Heap.builder(directory.resolve("heap")).mustExist().open().close();
  }

  @Test
  void a_heap_is_not_opened_where_a_journal_is() {
    builder(true).open().close();
    assertThatThrownBy(() -> Heap.open(directory.resolve("j")))
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("a journal");
    assertThatThrownBy(() -> Heap.builder(directory.resolve("j")).readOnly().open())
        .isInstanceOf(MissingException.class)
        .hasMessageContaining("holds a journal, not a heap");
  }

  @Test
  void only_one_may_write() {
    try (Journal journal = builder(true).open()) {
      assertThat(journal.nextSequence()).isZero();
      assertThatThrownBy(() -> builder(true).open())
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("(EH-JOURNAL-LOCKED)")
          .hasMessageContaining("read-only");
    }
  }

  @Test
  void what_is_missing_or_closed_is_refused() {
    assertThatThrownBy(() -> builder(true).mustExist().open())
        .isInstanceOf(MissingException.class)
        .hasMessageContaining("(EH-JOURNAL-MISSING)");
    assertThatThrownBy(() -> builder(true).readOnly().open())
        .isInstanceOf(MissingException.class)
        .hasMessageContaining("(EH-JOURNAL-MISSING)");
    Journal journal = builder(true).open();
    journal.close();
    journal.close();
    assertThatThrownBy(() -> journal.append(new byte[1]))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("(EH-JOURNAL-CLOSED)");
    assertThatThrownBy(journal::reader)
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("(EH-JOURNAL-CLOSED)");
  }

  @Test
  void the_first_sequence_can_be_chosen() {
    try (Journal journal = builder(true).firstSequence(77).open()) {
      assertThat(journal.firstSequence()).isEqualTo(77);
      assertThat(journal.append(new byte[1])).isEqualTo(77);
    }
    try (Journal journal = builder(true).firstSequence(5).open()) {
      assertThat(journal.append(new byte[1])).isEqualTo(78);
    }
  }

  @Test
  void senseless_arguments_are_refused() {
    JournalBuilder builder = Journal.builder(directory);
    assertThatIllegalArgumentException().isThrownBy(() -> builder.segmentSize(100));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.async(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.retainBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.retainFor(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.ahead(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.firstSequence(-1));
    try (Journal journal = builder(true).open()) {
      assertThatIllegalArgumentException().isThrownBy(() -> journal.appendAll(List.of()));
      assertThatIllegalArgumentException().isThrownBy(() -> journal.claim(-1));
      assertThatIllegalArgumentException().isThrownBy(() -> journal.reader(-1));
    }
  }
}
