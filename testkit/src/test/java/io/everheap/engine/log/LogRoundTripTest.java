package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.testkit.machine.Chooser;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogRoundTripTest {
  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_new_log_holds_nothing(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.log.close();
    RecoveredLog recovered = heap.read();
    assertThat(recovered.end()).isZero();
    assertThat(recovered.transactions()).isZero();
    assertThat(recovered.discarded()).isZero();
    assertThat(recovered.highestEpoch()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void what_was_durable_is_read_back_in_order_after_a_power_loss(String kind) {
    LogFixture heap = LogFixture.create(kind);
    List<Long> expected = new ArrayList<>();
    Random random = new Random(42);
    for (long value = 1; value <= 3000; value++) {
      long end = heap.append(value, 1 + random.nextInt(100));
      if (random.nextInt(10) == 0) {
        heap.log.awaitDurable(end);
      }
      expected.add(value);
    }
    heap.log.awaitDurable(heap.log.appended());
    heap.powerLoss();
    assertThat(heap.values()).isEqualTo(expected);
    assertThat(heap.read().end()).isEqualTo(heap.log.appended());
    assertThat(heap.read().chain()).isEqualTo(heap.log.chain());
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void transactions_larger_than_a_part_a_ring_and_a_segment_are_read_back(String kind) {
    LogFixture heap = LogFixture.create(kind);
    List<Long> expected = new ArrayList<>();
    for (long value = 1; value <= 12; value++) {
      heap.append(value, (int) value * 2500);
      expected.add(value);
    }
    heap.log.awaitDurable(heap.log.appended());
    heap.powerLoss();
    assertThat(heap.values()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_killed_process_loses_nothing(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    heap.append(2);
    heap.append(3);
    assertThat(heap.values()).containsExactly(1L, 2L, 3L);
    if (kind.equals("file")) {
      assertThat(heap.read().fromRing()).isEqualTo(96);
    }
  }

  @Test
  void the_ring_is_ignored_when_the_kernel_was_booted_since() {
    LogFixture heap = LogFixture.create("file");
    heap.commit(1);
    heap.append(2);
    heap.reboot();
    assertThat(heap.values()).containsExactly(1L);
  }

  @Test
  void the_ring_is_ignored_when_it_is_of_another_epoch() {
    LogFixture heap = LogFixture.create("file");
    heap.commit(1);
    heap.append(2);
    byte[] ring = heap.bytes("ring");
    heap.reopen();
    heap.commit(3);
    heap.damage("ring", 0, ring);
    assertThat(heap.values()).containsExactly(3L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void epochs_follow_each_other_over_kills_and_power_losses(String kind) {
    LogFixture heap = LogFixture.create(kind);
    Random random = new Random(7);
    long value = 0;
    for (int round = 0; round < 60; round++) {
      List<Long> appended = new ArrayList<>();
      int durable = 0;
      for (int i = random.nextInt(40); i > 0; i--) {
        long end = heap.append(++value, 1 + random.nextInt(4000));
        appended.add(value);
        if (random.nextInt(4) == 0) {
          heap.log.awaitDurable(end);
          durable = appended.size();
        }
        if (random.nextInt(16) == 0) {
          heap.checkpoint();
          appended.clear();
          durable = 0;
        }
      }
      boolean kill = random.nextBoolean();
      if (!kill) {
        heap.powerLoss(Chooser.random(random.nextLong()));
      }
      List<Long> recovered = heap.reopen();
      if (kill) {
        assertThat(recovered).isEqualTo(appended);
      } else {
        assertThat(recovered.size()).isGreaterThanOrEqualTo(durable);
        assertThat(recovered).isEqualTo(appended.subList(0, recovered.size()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void checkpoints_keep_the_log_within_its_limit(String kind) {
    LogFixture heap = LogFixture.create(kind);
    for (long value = 1; value <= 2000; value++) {
      heap.commit(value);
      if (heap.log.used() > heap.log.limit() / 2) {
        heap.checkpoint();
      }
      assertThat(heap.log.used()).isLessThanOrEqualTo(heap.log.limit());
    }
    int most = (int) (heap.log.limit() / LogFixture.SMALL.segmentSize()) + 1;
    assertThat(heap.medium().list("log")).hasSizeLessThanOrEqualTo(most);
    assertThat(heap.values())
        .isEqualTo(LongStream.rangeClosed(2001 - heap.values().size(), 2000).boxed().toList());
  }

  @Test
  void the_log_in_memory_counts_and_keeps_nothing() {
    try (var medium = new io.everheap.memory.MemoryMedium();
        Log log = Logs.start(medium, LogFixture.SMALL, LogFixture.HEAP, 1, 640, 5, Set.of())) {
      log.recycleOld();
      log.reserve(100);
      int at = log.openPart(64);
      log.buffer().putLong(at + 16, 1);
      assertThat(log.closePart(24, false)).isEqualTo(672);
      assertThat(log.durable()).isEqualTo(672);
      assertThat(log.chain()).isNotEqualTo(5);
      log.awaitDurable(672);
    }
  }
}
