package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ClosedException;
import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.memory.ChangedMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals that are closed, or cannot make segments, while something else goes on. */
@Campaign
class JournalCloseTest {
  @TempDir private Path temporary;

  private Path directory() {
    return temporary.resolve("j");
  }

  private JournalBuilder builder(boolean sync) {
    JournalBuilder builder = Journal.builder(directory()).segmentSize(64 << 10);
    return sync ? builder : builder.async(Duration.ofMillis(2));
  }

  private Medium files() {
    return FileMedium.open(directory(), false, true);
  }

  private static <T> Throwable failureOf(Future<T> future) throws InterruptedException {
    try {
      throw new AssertionError("no failure but " + Limit.get(future));
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_claim_that_nobody_ends_does_not_keep_the_journal_from_being_closed(boolean sync)
      throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      Journal journal = builder(sync).open();
      journal.append(new byte[10]);
      Claim forgotten = Limit.get(executor.submit(() -> journal.claim(10)));
      Future<Long> append = executor.submit(() -> journal.append(new byte[1]));
      Future<?> cut = executor.submit(() -> journal.truncateAfter(-1));
      journal.close();
      assertThatThrownBy(forgotten::commit)
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("(EH-JOURNAL-CLOSED)");
      forgotten.abort();
      forgotten.close();
      assertThat(failureOf(append))
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("(EH-JOURNAL-CLOSED)");
      awaitEnd(cut);
    }
    try (Journal journal = builder(sync).open()) {
      assertThat(journal.nextSequence()).isLessThanOrEqualTo(1);
      assertThat(journal.info().recovered()).isFalse();
    }
  }

  /** The cut may come before the close, or be told that it came too late. */
  private static void awaitEnd(Future<?> cut) throws InterruptedException {
    try {
      Limit.get(cut);
    } catch (ExecutionException e) {
      assertThat(e.getCause())
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("(EH-JOURNAL-CLOSED)");
    }
  }

  @Test
  void a_claim_of_the_thread_that_closes_ends_too() {
    Journal journal = builder(true).open();
    Claim claim = journal.claim(10);
    journal.close();
    assertThatThrownBy(claim::commit)
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("(EH-JOURNAL-CLOSED)");
    assertThatIllegalStateException().isThrownBy(() -> claim.memory().fill((byte) 1));
    try (Journal again = builder(true).open()) {
      assertThat(again.nextSequence()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_close_waits_for_who_reads_memory_at_that_moment(boolean watching) throws Exception {
    byte[] large = new byte[4 << 20];
    Journal writer = builder(true).open();
    writer.append(large);
    Journal journal = watching ? Journal.builder(directory()).readOnly().open() : writer;
    Pipe pipe = Pipe.open();
    CountDownLatch writing = new CountDownLatch(1);
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      Future<Integer> reader =
          executor.submit(
              () ->
                  journal.read(
                      0,
                      data -> {
                        writing.countDown();
                        return drainInto(pipe.sink(), data.asByteBuffer());
                      }));
      Limit.await(writing);
      Future<?> draining = executor.submit(() -> drain(pipe.source(), large.length));
      journal.close(); // while the memory may be held
      try {
        assertThat(Limit.get(reader)).isEqualTo(large.length);
      } catch (ExecutionException e) {
        assertThat(e.getCause())
            .isInstanceOfAny(ClosedException.class, IllegalStateException.class);
        pipe.sink().close();
      }
      Limit.get(draining);
    } finally {
      writer.close();
    }
  }

  @Test
  void a_close_does_not_fail_because_memory_is_held_for_long() throws Exception {
    byte[] large = new byte[4 << 20];
    Journal journal = builder(true).open();
    journal.append(large);
    Pipe pipe = Pipe.open(); // that nobody empties before the journal is closed
    CountDownLatch writing = new CountDownLatch(1);
    try (ExecutorService executor = Executors.newFixedThreadPool(1)) {
      Future<Integer> reader =
          executor.submit(
              () ->
                  journal.read(
                      0,
                      data -> {
                        ByteBuffer bytes = data.asByteBuffer();
                        writing.countDown();
                        return drainInto(pipe.sink(), bytes);
                      }));
      Limit.await(writing);
      pipe.source().read(ByteBuffer.allocate(1)); // so it is in the middle of its write
      journal.close();
      drain(pipe.source(), large.length - 1);
      assertThat(Limit.get(reader)).isEqualTo(large.length);
    }
    builder(true).open().close();
  }

  private static int drainInto(Pipe.SinkChannel sink, ByteBuffer bytes) {
    try {
      int total = 0;
      while (bytes.hasRemaining()) {
        total += sink.write(bytes);
      }
      return total;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int drain(Pipe.SourceChannel source, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
    int total = 0;
    for (int read = 0; total < bytes && read >= 0; total += read) {
      read = source.read(buffer.clear());
    }
    return total;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readers_are_told_that_the_journal_was_closed_and_nothing_else(boolean watching)
      throws Exception {
    try (Journal journal = builder(false).open()) {
      for (int i = 0; i < 20; i++) {
        journal.append(new byte[200_000]);
      }
    }
    for (int round = 0; round < 30; round++) {
      JournalBuilder how = watching ? builder(false).readOnly() : builder(false);
      Journal journal = how.open();
      CountDownLatch reading = new CountDownLatch(3);
      try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
        List<Future<?>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          readers.add(
              executor.submit(
                  () -> {
                    try (JournalReader reader = journal.reader()) {
                      while (true) {
                        reader.seek(0);
                        reader.forEach((s, data) -> true);
                        reading.countDown();
                      }
                    }
                  }));
        }
        Limit.await(reading);
        journal.close();
        for (Future<?> reader : readers) {
          assertThat(failureOf(reader))
              .isInstanceOf(ClosedException.class)
              .hasMessageContaining("(EH-JOURNAL-CLOSED)");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_close_beside_releases_and_cuts_ends_them_clearly(boolean sync) throws Exception {
    for (int round = 0; round < 10; round++) {
      Journal journal = builder(sync).retainBytes(200_000).open();
      CountDownLatch started = new CountDownLatch(2);
      try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
        List<Future<?>> all = new ArrayList<>();
        all.add(
            executor.submit(
                () -> {
                  while (true) {
                    journal.append(new byte[5000]);
                    started.countDown();
                  }
                }));
        all.add(
            executor.submit(
                () -> {
                  while (true) {
                    try {
                      journal.truncateBefore(Math.max(0, journal.nextSequence() - 5));
                    } catch (IllegalArgumentException e) {
                      Thread.onSpinWait(); // more was cut off meanwhile
                    }
                    started.countDown();
                  }
                }));
        all.add(
            executor.submit(
                () -> {
                  while (true) {
                    try {
                      journal.truncateAfter(journal.nextSequence() - 3);
                    } catch (IllegalArgumentException e) {
                      Thread.onSpinWait(); // others moved the end or the beginning
                    }
                  }
                }));
        Limit.await(started);
        journal.close();
        for (Future<?> future : all) {
          assertThat(failureOf(future))
              .isInstanceOf(ClosedException.class)
              .hasMessageContaining("(EH-JOURNAL-CLOSED)");
        }
      }
      try (Journal again = builder(sync).open();
          JournalReader reader = again.reader()) {
        assertThat(reader.forEach((s, data) -> data.byteSize() == 5000))
            .isEqualTo(again.nextSequence() - again.firstSequence());
      }
    }
  }

  @Test
  void who_needs_a_segment_of_a_closed_journal_is_told_so() {
    try (Medium medium = files()) {
      SegmentFiles segments =
          new SegmentFiles(medium, Mode.MAPPED, 64 << 10, 1, false, List.of(), 1);
      segments.close();
      assertThatThrownBy(segments::require)
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("(EH-JOURNAL-CLOSED)");
    }
  }

  @Test
  void an_error_in_the_background_is_told_to_who_needs_the_segment_and_then_forgotten() {
    AtomicBoolean failing = new AtomicBoolean();
    Medium medium =
        beforeSegments(
            files(),
            () -> {
              if (failing.get()) {
                throw new OutOfMemoryError("made up");
              }
            });
    try (Journal journal = MediumSetting.medium(builder(true), medium).open()) {
      failing.set(true);
      assertThatThrownBy(
              () -> {
                while (true) {
                  journal.append(new byte[30_000]);
                }
              })
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage("made up");
      long next = journal.nextSequence();
      failing.set(false);
      for (int i = 0; i < 20; i++) {
        assertThat(journal.append(new byte[30_000])).isEqualTo(next + i);
      }
    }
  }

  @Test
  void a_try_to_claim_waits_for_no_file() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    AtomicBoolean blocking = new AtomicBoolean();
    Medium medium =
        beforeSegments(
            files(),
            () -> {
              if (blocking.get()) {
                await(blocked);
              }
            });
    try (Journal journal = MediumSetting.medium(builder(false), medium).open()) {
      blocking.set(true);
      Claim claim = journal.tryClaim(20_000);
      while (claim != null) { // until the segments that are ready are full
        claim.commit();
        journal.force();
        claim = journal.tryClaim(20_000);
      }
      assertThat(journal.tryClaim(20_000)).isNull();
      assertThat(journal.tryClaim(500_000)).isNull();
      blocked.countDown();
      long next = journal.nextSequence();
      assertThat(claimed(journal, 500_000).commit()).isEqualTo(next);
      assertThat(claimed(journal, 20_000).commit()).isEqualTo(next + 1);
    }
  }

  private static Claim claimed(Journal journal, int length) {
    AtomicReference<@Nullable Claim> claim = new AtomicReference<>();
    Limit.until(
        "a claim",
        () -> {
          claim.set(journal.tryClaim(length));
          return claim.get() != null;
        });
    return claim.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_try_to_claim_is_told_of_a_full_disk() {
    AtomicBoolean full = new AtomicBoolean();
    Medium medium =
        beforeSegments(
            files(),
            () -> {
              if (full.get()) {
                throw new DiskFullException("made up", null);
              }
            });
    try (Journal journal = MediumSetting.medium(builder(false), medium).open()) {
      full.set(true);
      assertThatThrownBy(
              () -> {
                while (true) {
                  claimed(journal, 20_000).commit();
                }
              })
          .isInstanceOf(DiskFullException.class);
      full.set(false);
      long sequence;
      try {
        sequence = claimed(journal, 20_000).commit();
      } catch (DiskFullException e) { // of a segment that was begun while the disk was full
        sequence = claimed(journal, 20_000).commit();
      }
      assertThat(sequence).isPositive();
    }
  }

  @Test
  void an_opening_that_fails_holds_nothing() {
    builder(true).open().close();
    for (String operation : List.of("list", "openLog", "rename", "syncDirectory")) {
      AtomicBoolean failed = new AtomicBoolean();
      Medium medium =
          ChangedMedium.of(
              files(),
              (name, arguments) -> {
                if (name.equals(operation)) {
                  failed.set(true);
                  throw new MediumException("made up", null);
                }
              });
      assertThatThrownBy(() -> MediumSetting.medium(builder(true), medium).open())
          .isInstanceOf(MediumException.class);
      assertThat(failed).isTrue();
      builder(true).open().close(); // nothing is locked
    }
  }

  /** Does something before a new segment is made from nothing. */
  private static Medium beforeSegments(Medium medium, Runnable action) {
    return ChangedMedium.of(
        medium,
        (operation, arguments) -> {
          if (operation.equals("create") && arguments[0].equals(JournalLayout.TEMPORARY)) {
            action.run();
          }
        });
  }
}
