package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.log.SegmentLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TornTailTest {
  private static String segment(LogFixture heap) {
    return SegmentCatalog.read(heap.medium(), LogFixture.HEAP).entries().stream()
        .filter(e -> e.of(heap.epoch))
        .reduce((a, b) -> b)
        .orElseThrow()
        .name();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_last_record_cut_at_any_byte_ends_the_log_before_it(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    heap.commit(2);
    String name = segment(heap);
    byte[] before = heap.bytes(name);
    heap.append(3, 40);
    heap.log.awaitDurable(heap.log.appended());
    heap.powerLoss();
    byte[] after = heap.bytes(name);
    int last = 0;
    for (int i = 0; i < after.length; i++) {
      if (after[i] != before[i]) {
        last = i;
      }
    }
    int first = Arrays.mismatch(before, after);
    for (int cut = first; cut <= last; cut++) {
      byte[] torn = before.clone();
      System.arraycopy(after, 0, torn, 0, cut);
      heap.damage(name, 0, torn);
      RecoveredLog recovered = heap.read();
      assertThat(heap.values(recovered)).containsExactly(1L, 2L);
    }
    for (int lost = first; lost <= last; lost++) {
      if (after[lost] != before[lost]) {
        byte[] torn = after.clone();
        torn[lost] = before[lost];
        heap.damage(name, 0, torn);
        assertThat(heap.values()).containsExactly(1L, 2L);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_record_of_several_parts_without_its_last_one_is_discarded(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    long end = heap.log.appended();
    heap.log.reserve(100_000);
    for (int part = 0; part < 2; part++) {
      int at = heap.log.openPart(64);
      heap.log.buffer().putLong(at + PartLayout.HEADER_SIZE, EntryLayout.run(16, 1));
      heap.log.buffer().putLong(at + PartLayout.HEADER_SIZE + 8, 2);
      heap.log.closePart(32, true);
    }
    heap.log.awaitDurable(heap.log.appended());
    heap.powerLoss();
    RecoveredLog recovered = heap.read();
    assertThat(recovered.end()).isEqualTo(end);
    assertThat(recovered.discarded()).isEqualTo(kind.equals("dax") ? 128 : 64);
    assertThat(heap.reopen()).containsExactly(1L);
    assertThat(heap.log.appended()).isEqualTo(end);
    heap.commit(3);
    assertThat(heap.values()).containsExactly(3L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void damage_before_a_durable_record_is_refused_with_file_and_offset(String kind) {
    LogFixture heap = LogFixture.create(kind);
    for (long value = 1; value <= 5; value++) {
      heap.commit(value);
    }
    String name = segment(heap);
    boolean dax = kind.equals("dax");
    for (int record = 0; record < 4; record++) {
      int start = SegmentLayout.START + record * (dax ? 64 : SegmentLayout.BLOCK);
      for (int i = 0; i < (dax ? 64 : 64 + 48); i++) {
        LogFixture damaged = heap.copy();
        damaged.reboot();
        damaged.flip(name, start + i, i % 8);
        int offset = dax || i < 64 ? start : start + 64;
        assertThatThrownBy(damaged::read)
            .isInstanceOfSatisfying(
                CorruptException.class,
                e -> {
                  assertThat(e.path()).hasValue(heap.medium().location() + "/" + name);
                  assertThat(e.offset()).hasValue(offset);
                  assertThat(e).hasMessageContaining("salvage");
                });
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_missing_segment_is_refused(String kind) {
    LogFixture heap = LogFixture.create(kind);
    for (int i = 0; i < 60; i++) {
      heap.append(1, 1000);
    }
    heap.log.awaitDurable(heap.log.appended());
    heap.reboot();
    List<SegmentCatalog.Entry> used =
        SegmentCatalog.read(heap.medium(), LogFixture.HEAP).entries().stream()
            .filter(e -> e.of(1))
            .toList();
    assertThat(used).hasSizeGreaterThan(5);
    for (SegmentCatalog.Entry entry : used.subList(0, used.size() - 1)) {
      LogFixture damaged = heap.copy();
      damaged.medium().delete(entry.name());
      assertThatThrownBy(damaged::read)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-LOG)");
    }
  }

  @Test
  void a_damaged_header_of_the_last_segment_is_refused_on_byte_addressable_media() {
    LogFixture heap = LogFixture.create("dax");
    while (heap.medium().list("log").size() < 4) {
      heap.append(1, 1000);
    }
    heap.append(2);
    SegmentCatalog.Entry last =
        SegmentCatalog.read(heap.medium(), LogFixture.HEAP).entries().stream()
            .filter(e -> e.of(1))
            .max(java.util.Comparator.comparingLong(e -> e.requireHeader().ordinal()))
            .orElseThrow();
    heap.flip(last.name(), SegmentLayout.EPOCH, 0);
    assertThatThrownBy(heap::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_log_that_ends_before_what_the_home_image_may_hold_is_refused(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    heap.leastEnd = heap.log.appended();
    assertThat(heap.values()).containsExactly(1L);
    heap.leastEnd += 64;
    assertThatThrownBy(heap::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("LSN " + heap.leastEnd);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_checkpoint_that_no_segment_covers_is_refused(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    heap.epoch = 2;
    assertThatThrownBy(heap::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("epoch 2 covers LSN 0");
    heap.epoch = 1;
    heap.lsn = 1 << 20;
    heap.leastEnd = 1 << 20;
    assertThatThrownBy(heap::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("checkpoint was made at 1048576");
    heap.lsn = 0;
    heap.leastEnd = 0;
    heap.chain = 99;
    assertThatThrownBy(heap::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("not the one that the checkpoint saw");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void a_superblock_of_an_epoch_before_the_newest_records_is_refused(String kind) {
    LogFixture heap = LogFixture.create(kind);
    heap.commit(1);
    LogFixture older = heap.over(heap.medium());
    heap.reopen();
    heap.commit(2);
    assertThatThrownBy(older::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void flipped_bits_never_change_what_is_read_silently(String kind) {
    LogFixture heap = LogFixture.create(kind);
    Random random = new Random(3);
    List<Long> all = new ArrayList<>();
    for (long value = 1; value <= 400; value++) {
      heap.append(value, 1 + random.nextInt(200));
      all.add(value);
      if (random.nextInt(3) == 0) {
        heap.log.awaitDurable(heap.log.appended());
      }
      if (value == 100) {
        heap.checkpoint();
        all.clear();
      }
    }
    heap.log.awaitDurable(heap.log.appended());
    heap.reboot();
    heap.leastEnd = heap.log.appended();
    List<String> names = heap.medium().list("log");
    for (int i = 0; i < 1500; i++) {
      LogFixture damaged = heap.copy();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        String name = "log/" + names.get(random.nextInt(names.size()));
        int range = random.nextBoolean() ? SegmentLayout.HEADER_SIZE : 64 << 10;
        damaged.flip(name, random.nextInt(range), random.nextInt(8));
      }
      try {
        assertThat(damaged.values()).isEqualTo(all);
      } catch (EverheapException e) {
        assertThat(e).isInstanceOf(CorruptException.class).hasMessageContaining("(EH-CORRUPT-LOG)");
      }
      damaged.leastEnd = damaged.lsn;
      try {
        List<Long> values = damaged.values();
        assertThat(values).isEqualTo(all.subList(0, values.size()));
      } catch (EverheapException e) {
        assertThat(e).isInstanceOf(CorruptException.class).hasMessageContaining("(EH-CORRUPT-LOG)");
      }
    }
  }
}
