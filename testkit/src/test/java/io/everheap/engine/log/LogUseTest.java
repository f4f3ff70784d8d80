package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the log answers to correct and wrong use by the transaction layer. */
class LogUseTest {
  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_part_that_was_opened_and_not_closed_leaves_nothing(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    long before = heap.log.appended();
    heap.log.reserve(100);
    int at = heap.log.openPart(128);
    heap.log.buffer().putLong(at + 16, -1);
    assertThat(heap.log.appended()).isEqualTo(before);
    heap.commit(2);
    assertThat(heap.values()).containsExactly(1L, 2L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void parts_of_impossible_size_are_refused(String kind) {
    Log log = LogFixture.create(kind).log;
    assertThatThrownBy(() -> log.openPart(Log.maxPart() + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> log.openPart(15)).isInstanceOf(IllegalArgumentException.class);
    log.openPart(64);
    assertThatThrownBy(() -> log.closePart(65, false)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> log.closePart(8, false)).isInstanceOf(IllegalArgumentException.class);
    log.closePart(16, false);
    assertThatThrownBy(() -> log.closePart(16, false)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void an_lsn_that_was_not_appended_cannot_be_awaited(String kind) {
    LogFixture heap = LogFixture.create(kind);
    long end = heap.commit(1);
    heap.log.awaitDurable(0);
    heap.log.awaitDurable(end);
    assertThatThrownBy(() -> heap.log.awaitDurable(end + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_length_that_is_no_multiple_of_eight_is_padded_with_zeros(String kind) {
    LogFixture heap = LogFixture.create(kind);
    int at = heap.log.openPart(128);
    for (int i = 0; i < 128; i++) {
      heap.log.buffer().array()[at + i] = (byte) 0xFF;
    }
    int padded = kind.equals("dax") ? 128 : 80;
    assertThat(heap.log.closePart(69, false)).isEqualTo(padded);
    for (int i = 69; i < padded; i++) {
      assertThat(heap.log.buffer().array()[at + i]).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_reservation_is_enough_whatever_the_others_do(String kind) {
    Random random = new Random(23);
    LogFixture heap = LogFixture.create(kind);
    for (int i = 0; i < 1000; i++) {
      int words = 1 + random.nextInt(random.nextInt(10) == 0 ? 20_000 : 300);
      heap.simulated().faults().freeSpace();
      heap.log.reserve(words * 8L + 8);
      heap.simulated().faults().fillDisk(1);
      heap.appendReserved(i + 1, words);
      if (random.nextInt(3) == 0) {
        heap.log.awaitDurable(heap.log.appended());
        try (LogFixture full = heap.copy()) {
          full.simulated().faults().fillDisk(1);
          full.reopen(); // takes the spare segment
          full.log.close();
        }
      }
      if (heap.log.used() > heap.log.limit() / 2) {
        heap.checkpoint();
      }
    }
    heap.log.awaitDurable(heap.log.appended());
    assertThat(heap.log.failure()).isNull();
  }

  @Test
  void used_grows_with_records_and_shrinks_with_checkpoints() {
    LogFixture heap = LogFixture.create("file");
    long empty = heap.log.used();
    heap.append(1);
    assertThat(heap.log.used()).isEqualTo(empty + 48);
    heap.commit(2);
    assertThat(heap.log.used()).isEqualTo(empty + 4096);
    for (int i = 0; i < 40; i++) {
      heap.commit(3);
    }
    heap.checkpoint();
    assertThat(heap.log.used()).isLessThanOrEqualTo(LogFixture.SMALL.segmentSize());
  }

  @Test
  void an_appender_waits_when_the_oldest_record_is_too_old() {
    LogOptions options =
        new LogOptions(64 << 10, 64 << 10, 512 << 10, 1, LogFixture.SMALL.durableWrite(), false);
    LogFixture heap = LogFixture.create(SimulatedMedium.file(1), options);
    long most = 0;
    for (long value = 1; value <= 5000; value++) {
      long end = heap.append(value);
      most = Math.max(most, end - heap.log.durable());
      if (heap.log.used() > heap.log.limit() / 2) {
        heap.checkpoint();
      }
    }
    heap.log.close();
    assertThat(most).isLessThanOrEqualTo(64 << 10);
  }
}
