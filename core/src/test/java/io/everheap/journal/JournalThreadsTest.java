package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads on one journal. */
@Campaign
class JournalThreadsTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  @TempDir private Path directory;

  private Journal open(boolean sync) {
    JournalBuilder builder = Journal.builder(directory.resolve("j")).segmentSize(64 << 10);
    return (sync ? builder : builder.async(Duration.ofMillis(2))).open();
  }

  private static byte[] record(int thread, long number) {
    return ByteBuffer.allocate(16 + (int) (number % 50)).putLong(thread).putLong(number).array();
  }

  /** Appends in different ways, each record with its thread's number and its own. */
  private static void append(Journal journal, int thread, int count) {
    long last = -1;
    for (long n = 0; n < count; n++) {
      byte[] record = record(thread, n);
      long sequence;
      switch (n + 1 == count ? 0 : (int) (n % 4)) {
        case 0 -> sequence = journal.append(record);
        case 1 -> {
          try (Claim claim = journal.claim(record.length)) {
            claim.memory().copyFrom(MemorySegment.ofArray(record));
            sequence = claim.commit();
          }
        }
        case 2 -> sequence = journal.appendAsync(record).join();
        default -> {
          sequence = journal.appendAll(List.of(record, record(thread, n + 1)));
          n++;
        }
      }
      assertThat(sequence).isGreaterThan(last);
      last = sequence;
    }
  }

  @ParameterizedTest
  @CsvSource({"true,8,false", "true,64,true", "false,4,false", "false,32,true"})
  void records_have_no_gaps_and_keep_the_order_of_each_thread(
      boolean sync, int threads, boolean virtual) throws Exception {
    int each = 200;
    ExecutorService executor =
        virtual
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(threads + 1);
    try (executor;
        Journal journal = open(sync)) {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        done.add(executor.submit(() -> append(journal, thread, each)));
      }
      done.add(
          executor.submit(
              () -> {
                requireOrder(journal, threads, (long) threads * each);
                return null;
              }));
      for (Future<?> future : done) {
        Limit.get(future);
      }
      assertThat(journal.nextSequence()).isEqualTo((long) threads * each);
      journal.force();
      assertThat(journal.durableSequence()).isEqualTo(journal.nextSequence());
    }
    try (Journal journal = open(sync)) {
      requireOrder(journal, threads, (long) threads * each);
    }
  }

  private static void requireOrder(Journal journal, int threads, long total)
      throws InterruptedException {
    long[] next = new long[threads];
    try (JournalReader reader = journal.reader()) {
      for (long s = 0; s < total; s++) {
        assertThat(reader.next(Limit.limit())).isTrue();
        assertThat(reader.sequence()).isEqualTo(s);
        ByteBuffer data = ByteBuffer.wrap(reader.bytes());
        int thread = (int) data.getLong();
        assertThat(data.getLong()).isEqualTo(next[thread]++);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readers_never_see_a_segment_that_is_used_again(boolean sync) throws Exception {
    try (Journal journal = open(sync);
        ExecutorService executor = Executors.newFixedThreadPool(4)) {
      AtomicLong stop = new AtomicLong(sync ? 500 : 20_000);
      Future<?> appender =
          executor.submit(
              () -> {
                for (long n = 0; n < stop.get(); n++) {
                  byte[] record = new byte[600];
                  ByteBuffer.wrap(record).putLong(n).putLong(592, n);
                  journal.append(record);
                  if (n % 150 == 149) {
                    journal.truncateBefore(n - 50);
                  }
                }
              });
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(
            executor.submit(
                () -> {
                  try (JournalReader reader = journal.reader()) {
                    while (!appender.isDone()) {
                      try {
                        while (reader.next()) {
                          MemorySegment data = reader.data();
                          long first = data.get(LONG, 0);
                          assertThat(Long.reverseBytes(first)).isEqualTo(reader.sequence());
                          assertThat(data.get(LONG, 592)).isEqualTo(first);
                        }
                      } catch (GoneException e) {
                        reader.seek(journal.firstSequence());
                      }
                    }
                  }
                }));
      }
      Limit.get(appender);
      for (Future<?> reader : readers) {
        Limit.get(reader);
      }
    }
  }

  @Test
  void a_reader_in_another_process_is_told_when_the_writer_was_faster() throws Exception {
    try (Journal journal = open(false);
        Journal watched = Journal.builder(directory.resolve("j")).readOnly().open();
        ExecutorService executor = Executors.newFixedThreadPool(1)) {
      Future<?> appender =
          executor.submit(
              () -> {
                for (long n = 0; n < 20_000; n++) {
                  journal.append(ByteBuffer.allocate(600).putLong(n).array());
                  if (n % 150 == 149) {
                    journal.truncateBefore(n - 50);
                  }
                }
              });
      long read = 0;
      try (JournalReader reader = watched.reader()) {
        while (!appender.isDone() || reader.nextSequence() < 20_000) {
          try {
            while (reader.next()) {
              read++;
            }
          } catch (GoneException e) {
            reader.seek(Math.clamp(reader.nextSequence(), e.first(), e.next()));
          }
        }
      }
      Limit.get(appender);
      assertThat(read).isPositive();
      assertThat(watched.nextSequence()).isEqualTo(20_000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void records_are_cut_off_beside_appenders(boolean sync) throws Exception {
    int threads = 4;
    int each = sync ? 300 : 4_000;
    long end;
    try (Journal journal = open(sync)) {
      try (ExecutorService executor = Executors.newFixedThreadPool(threads + 1)) {
        List<Future<?>> appenders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
          byte[] record = new byte[600 + t];
          appenders.add(
              executor.submit(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      if (n % 3 == 0) {
                        journal.appendAsync(record).join();
                      } else {
                        journal.append(record);
                      }
                    }
                  }));
        }
        Future<?> cutter =
            executor.submit(
                () -> {
                  for (int n = 0; !appenders.stream().allMatch(Future::isDone); n++) {
                    try {
                      journal.truncateAfter(Math.max(0, journal.nextSequence() - 1 - n % 200));
                    } catch (IllegalArgumentException e) {
                      // others moved the end
                    }
                    journal.force();
                  }
                });
        for (Future<?> appender : appenders) {
          Limit.get(appender);
        }
        Limit.get(cutter);
      }
      for (long n = 0; n < 200; n++) {
        journal.append(ByteBuffer.allocate(600).putLong(n).array());
      }
      end = journal.nextSequence();
      requireAll(journal, end);
    }
    for (int i = 0; i < 2; i++) {
      try (Journal journal = open(sync)) {
        assertThat(journal.nextSequence()).isEqualTo(end);
        requireAll(journal, end);
      }
    }
  }

  /** All records are there, and the last 200 are those of the test. */
  private static void requireAll(Journal journal, long end) {
    try (JournalReader reader = journal.reader()) {
      for (long s = journal.firstSequence(); s < end; s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.sequence()).isEqualTo(s);
        if (s >= end - 200) {
          assertThat(ByteBuffer.wrap(reader.bytes()).getLong()).isEqualTo(s - (end - 200));
        }
      }
    }
  }

  @Test
  void an_interrupt_loses_nothing() throws Exception {
    try (Journal journal = open(true)) {
      Thread appender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      Thread.currentThread().interrupt();
                      journal.append(record(0, i));
                    }
                  });
      Limit.join(appender);
      assertThat(journal.nextSequence()).isEqualTo(100);
      requireOrder(journal, 1, 100);
    }
  }

  @Test
  void a_waiting_reader_can_be_interrupted_and_goes_on() throws Exception {
    try (Journal journal = open(true);
        JournalReader reader = journal.reader()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> reader.next(Duration.ofHours(1)))
          .isInstanceOf(InterruptedException.class);
      journal.append(record(0, 0));
      assertThat(reader.next()).isTrue();
    }
  }

  @Test
  void a_close_while_others_append_is_told_to_all_and_loses_nothing_acknowledged()
      throws Exception {
    Journal journal = open(true);
    AtomicLong acknowledged = new AtomicLong(-1);
    CountDownLatch started = new CountDownLatch(4);
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      for (int t = 0; t < 4; t++) {
        executor.execute(
            () -> {
              try {
                while (true) {
                  long sequence = journal.append(new byte[50]);
                  acknowledged.accumulateAndGet(sequence, Math::max);
                  started.countDown();
                }
              } catch (ClosedException e) {
                started.countDown();
              }
            });
      }
      Limit.await(started);
      journal.close();
    }
    try (Journal again = open(true)) {
      assertThat(again.nextSequence()).isGreaterThan(acknowledged.get());
      try (JournalReader reader = again.reader()) {
        assertThat(reader.forEach((s, data) -> data.byteSize() == 50))
            .isEqualTo(again.nextSequence());
      }
    } catch (EverheapException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_claim_keeps_others_out_until_it_ends() throws Exception {
    try (Journal journal = open(false);
        ExecutorService executor = Executors.newFixedThreadPool(1)) {
      Claim claim = journal.claim(8);
      assertThat(Limit.get(executor.submit(() -> journal.tryClaim(8) == null))).isTrue();
      Future<Long> other = executor.submit(() -> journal.append(new byte[1]));
      claim.memory().set(LONG, 0, 42);
      assertThat(claim.commit()).isZero();
      assertThat(Limit.get(other)).isEqualTo(1);
    }
  }
}
