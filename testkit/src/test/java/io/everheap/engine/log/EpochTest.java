package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.log.SegmentLayout;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one epoch leaves behind must never be taken for a part of another. */
class EpochTest {
  /** Runs an action when bytes have reached a file or its mapping and are about to be durable. */
  private static void beforeDurable(LogFixture heap, Runnable action) {
    heap.simulated()
        .observe(
            point -> {
              if (point.kind() == CrashPoint.Kind.DURABLE_WRITE
                  || point.kind() == CrashPoint.Kind.FORCE) {
                action.run();
              }
            });
  }

  @Test
  void an_old_record_behind_a_rewritten_one_never_comes_back() {
    // Record 105 survives a power loss, 104 before it does not; 104 is written anew with the same
    // length; the next power loss must not replay the old 105 behind it.
    LogFixture heap = LogFixture.create("dax");
    heap.commit(103);
    long lsn104 = heap.log.appended();
    heap.commit(104);
    long lsn105 = heap.log.appended();
    heap.commit(105);
    String name = LogLayout.name(0);
    byte[] old = heap.bytes(name);
    int at104 = SegmentLayout.START + (int) lsn104;
    int at105 = SegmentLayout.START + (int) lsn105;

    // In the same place, as if the segment had been used again without a trace of the old epoch.
    heap.damage(name, at104, new byte[64]);
    heap.damage(name, at105, new byte[64]);
    assertThat(heap.reopen()).containsExactly(103L);
    assertThat(heap.lsn).isEqualTo(lsn104);
    heap.commit(204);
    String fresh =
        SegmentCatalog.read(heap.medium(), LogFixture.HEAP).entries().stream()
            .filter(e -> e.of(heap.epoch))
            .findFirst()
            .orElseThrow()
            .name();
    byte[] record105 = java.util.Arrays.copyOfRange(old, at105, at105 + 64);
    heap.damage(fresh, SegmentLayout.START + 64, record105);
    assertThat(heap.values()).containsExactly(204L);
    assertThat(heap.read().end()).isEqualTo(lsn105);
  }

  @Test
  void an_old_batch_behind_a_new_one_never_comes_back() {
    LogFixture heap = LogFixture.create("file");
    heap.commit(103);
    heap.commit(104);
    heap.commit(105);
    String first = LogLayout.name(0);
    byte[] old = heap.bytes(first);
    heap.reboot();
    heap.damage(first, SegmentLayout.START + SegmentLayout.BLOCK, new byte[8192]);
    assertThat(heap.reopen()).containsExactly(103L);
    heap.commit(204);
    for (SegmentCatalog.Entry entry :
        SegmentCatalog.read(heap.medium(), LogFixture.HEAP).entries()) {
      if (entry.of(heap.epoch)) {
        byte[] batch105 = java.util.Arrays.copyOfRange(old, 3 * 4096, 4 * 4096);
        heap.damage(entry.name(), 2 * 4096, batch105);
      }
    }
    heap.reboot();
    assertThat(heap.values()).containsExactly(204L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void what_a_recycled_segment_holds_never_validates(String kind) {
    LogFixture heap = LogFixture.create(kind);
    long value = 0;
    for (int round = 0; round < 30; round++) {
      List<Long> since = new ArrayList<>();
      for (int i = 0; i < 37; i++) {
        heap.append(++value, 400);
        heap.log.awaitDurable(heap.log.appended());
        since.add(value);
      }
      try (LogFixture copy = heap.copy()) {
        copy.powerLoss();
        assertThat(copy.values()).isEqualTo(since);
      }
      heap.checkpoint();
      assertThat(heap.values()).isEmpty();
    }
    assertThat(heap.medium().list("log").size()).isLessThan(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_checkpoint_that_lags_behind_frees_nothing_that_replay_needs(String kind) {
    LogFixture heap = LogFixture.create(kind);
    List<Long> since = new ArrayList<>();
    long value = 0;
    for (int round = 0; round < 20; round++) {
      long captured = heap.log.appended();
      int chain = heap.log.chain();
      int before = since.size();
      for (int i = 0; i < 30; i++) {
        heap.append(++value, 600);
        since.add(value);
      }
      heap.log.awaitDurable(heap.log.appended());
      assertThat(heap.values()).isEqualTo(since);
      heap.lsn = captured;
      heap.chain = chain;
      heap.log.recycleBelow(captured);
      since.subList(0, before).clear();
    }
    assertThat(heap.medium().list("log").size()).isLessThan(14);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void until_old_segments_are_let_go_the_previous_epoch_can_be_recovered(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    heap.append(2, 5000);
    for (int attempt = 0; attempt < 5; attempt++) {
      RecoveredLog recovered = heap.read();
      assertThat(heap.values(recovered)).containsExactly(1L, 2L);
      Log next =
          Logs.start(
              heap.medium(),
              LogFixture.SMALL,
              LogFixture.HEAP,
              recovered.highestEpoch() + 1,
              recovered.end(),
              recovered.chain(),
              recovered.segments());
      assertThatThrownBy(() -> next.reserve(8)).isInstanceOf(IllegalStateException.class);
      next.close();
    }
    assertThat(heap.medium().list("log").size()).isLessThan(8);
    assertThat(heap.reopen()).containsExactly(1L, 2L);
  }

  @Test
  void what_only_a_ring_holds_survives_a_power_loss_after_it_was_persisted() {
    LogFixture heap = LogFixture.create("file");
    Random random = new Random(5);
    List<Long> all = new ArrayList<>();
    for (long value = 1; value <= 300; value++) {
      heap.append(value, 1 + random.nextInt(400));
      all.add(value);
      if (random.nextInt(20) == 0) {
        heap.log.awaitDurable(heap.log.appended());
      }
    }
    RecoveredLog recovered = heap.read();
    assertThat(recovered.fromRing()).isPositive();
    recovered.persist(LogFixture.SMALL);
    heap.powerLoss();
    assertThat(heap.values()).isEqualTo(all);
    heap.leastEnd = recovered.end();
    assertThat(heap.reopen()).isEqualTo(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void records_that_were_read_from_a_cache_survive_a_power_loss_after_they_were_persisted(
      String kind) {
    for (int records = 1; records <= 40; records++) {
      LogFixture heap = LogFixture.create(kind);
      List<Long> all = new ArrayList<>();
      for (long value = 1; value < records; value++) {
        heap.commit(value);
        all.add(value);
      }
      beforeDurable(
          heap,
          () -> {
            throw new MediumException("EIO", null);
          });
      long last = records;
      assertThatThrownBy(() -> heap.commit(last)).isInstanceOf(EverheapException.class);
      all.add(last);
      beforeDurable(heap, () -> {});
      if (kind.equals("file")) {
        heap.damage("ring", 0, new byte[RingLayout.HEADER_SIZE]);
      }
      RecoveredLog recovered = heap.read();
      assertThat(heap.values(recovered)).isEqualTo(all);
      recovered.persist(LogFixture.SMALL);
      heap.powerLoss();
      assertThat(heap.values()).isEqualTo(all);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_power_loss_while_persisting_loses_nothing_that_was_durable(String kind) {
    Random random = new Random(11);
    for (int round = 0; round < 40; round++) {
      LogFixture heap = LogFixture.create(kind);
      List<Long> all = new ArrayList<>();
      int durable = 0;
      for (long value = 1; value <= 80; value++) {
        heap.append(value, 1 + random.nextInt(800));
        all.add(value);
        if (random.nextInt(10) == 0) {
          heap.log.awaitDurable(heap.log.appended());
          durable = all.size();
        }
      }
      RecoveredLog recovered = heap.read();
      int[] left = {random.nextInt(4)};
      beforeDurable(
          heap,
          () -> {
            if (left[0]-- == 0) {
              throw new MediumException("power", null);
            }
          });
      boolean done = false;
      try {
        recovered.persist(LogFixture.SMALL);
        done = true;
      } catch (MediumException e) {
        assertThat(e).hasMessageStartingWith("power");
      }
      beforeDurable(heap, () -> {});
      heap.powerLoss(Chooser.random(random.nextLong()));
      List<Long> values = heap.values();
      assertThat(values.size()).isGreaterThanOrEqualTo(done ? all.size() : durable);
      assertThat(values).isEqualTo(all.subList(0, values.size()));
      assertThat(heap.reopen()).isEqualTo(values);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_full_disk_refuses_a_large_record_and_takes_small_ones(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    heap.simulated().faults().fillDisk(1);
    long before = heap.log.appended();
    assertThatThrownBy(() -> heap.append(2, 200_000)).isInstanceOf(DiskFullException.class);
    assertThat(heap.log.appended()).isEqualTo(before);
    assertThat(heap.log.failure()).isNull();
    heap.commit(3);
    int committed = 0;
    try {
      while (true) {
        heap.commit(4);
        committed++;
      }
    } catch (DiskFullException e) {
      assertThat(committed).isPositive();
    }
    heap.checkpoint();
    heap.commit(5);
    assertThat(heap.values()).containsExactly(5L);
    heap.powerLoss();
    assertThat(heap.reopen()).containsExactly(5L);
    heap.commit(6);
    heap.simulated().faults().freeSpace();
    heap.append(7, 200_000);
    assertThat(heap.values()).containsExactly(6L, 7L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void recovery_works_on_a_full_disk_whatever_was_appended(String kind) {
    Random random = new Random(13);
    for (int round = 0; round < 30; round++) {
      LogFixture heap = LogFixture.create(kind);
      for (int i = random.nextInt(10); i >= 0; i--) {
        heap.append(1, 1 + random.nextInt(6000));
        if (random.nextInt(4) == 0) {
          heap.checkpoint();
        }
      }
      heap.simulated().faults().fillDisk(1);
      List<Long> all = new ArrayList<>(heap.values());
      try {
        for (long value = 1; ; value++) {
          heap.append(value, 1 + random.nextInt(random.nextBoolean() ? 10 : 3000));
          all.add(value);
          if (random.nextInt(3) == 0) {
            heap.log.awaitDurable(heap.log.appended());
          }
        }
      } catch (DiskFullException e) {
        assertThat(heap.log.failure()).isNull();
      }
      assertThat(heap.reopen()).isEqualTo(all);
      heap.commit(9);
      assertThat(heap.values()).containsExactly(9L);
    }
  }

  @Test
  void leftovers_of_a_segment_that_was_being_made_are_removed() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    medium.create(LogLayout.TEMPORARY).close();
    LogFixture heap = LogFixture.create(medium);
    heap.commit(1);
    assertThat(medium.exists(LogLayout.TEMPORARY)).isFalse();
  }

  @Test
  void segments_of_another_size_are_replaced() {
    LogFixture heap = LogFixture.create("file");
    heap.commit(1);
    LogOptions larger =
        new LogOptions(128 << 10, 128 << 10, 512 << 10, 0, LogFixture.SMALL.durableWrite(), false);
    RecoveredLog recovered = heap.read();
    recovered.persist(larger);
    Log log =
        Logs.start(
            heap.medium(),
            larger,
            LogFixture.HEAP,
            2,
            recovered.end(),
            recovered.chain(),
            recovered.segments());
    log.recycleOld();
    for (String name : heap.medium().list("log")) {
      assertThat(heap.bytes("log/" + name)).hasSize(128 << 10);
    }
    assertThat(heap.bytes("ring")).hasSize((128 << 10) + RingLayout.DATA);
    log.close();
  }

  @Test
  void another_heaps_segments_are_not_read() {
    LogFixture heap = LogFixture.create("file");
    heap.commit(1);
    heap.log.close();
    java.util.UUID other = new java.util.UUID(1, 2);
    assertThatThrownBy(() -> LogReader.read(heap.medium(), other, 1, 0, 0, 0))
        .hasMessageContaining("no log segment of epoch 1");
    Log log = Logs.start(heap.medium(), LogFixture.SMALL, other, 1, 0, 0, Set.of());
    log.recycleOld();
    assertThat(LogReader.read(heap.medium(), other, 1, 0, 0, 0).transactions()).isZero();
    log.close();
  }
}
