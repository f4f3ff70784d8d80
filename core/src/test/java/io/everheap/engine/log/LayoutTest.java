package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.DurableWrite;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LayoutTest {
  private static final UUID HEAP = new UUID(0x1122_3344_5566_7788L, 0x99AA_BBCC_DDEE_FF00L);

  @Property
  void entry_words_hold_what_was_put_in(
      @ForAll @LongRange(min = 0, max = (1L << 44) - 1) long word,
      @ForAll @IntRange(min = 1, max = EntryLayout.MAX_RUN_WORDS) int count,
      @ForAll @LongRange(min = 0, max = (1L << 32) - 1) long stride,
      @ForAll @LongRange(min = 0, max = (1L << 32) - 1) long times) {
    long run = EntryLayout.run(word * 8, count);
    assertThat(EntryLayout.type(run)).isEqualTo(EntryLayout.RUN);
    assertThat(EntryLayout.count(run)).isEqualTo(count);
    assertThat(EntryLayout.address(run)).isEqualTo(word * 8);
    long fill = EntryLayout.fill(word * 8);
    assertThat(EntryLayout.type(fill)).isEqualTo(EntryLayout.FILL);
    assertThat(EntryLayout.address(fill)).isEqualTo(word * 8);
    assertThat(EntryLayout.stride(EntryLayout.fillShape(stride, times))).isEqualTo(stride);
    assertThat(EntryLayout.times(EntryLayout.fillShape(stride, times))).isEqualTo(times);
  }

  @Test
  void lengths_are_multiples_of_a_line_and_flags_exclude_each_other() {
    assertThat(PartLayout.align(1)).isEqualTo(16);
    assertThat(PartLayout.align(16)).isEqualTo(16);
    assertThat(PartLayout.alignDirect(65)).isEqualTo(128);
    assertThat(PartLayout.plausible(64)).isTrue();
    assertThat(PartLayout.plausible(64 | PartLayout.MORE)).isTrue();
    assertThat(PartLayout.plausible(64 | PartLayout.PAD)).isTrue();
    assertThat(PartLayout.plausible(64 | PartLayout.PAD | PartLayout.MORE)).isFalse();
    assertThat(PartLayout.plausible(64 | 1 << 29)).isFalse();
    assertThat(PartLayout.plausible(0)).isFalse();
    assertThat(PartLayout.plausible(65)).isFalse();
    assertThat(PartLayout.plausible(PartLayout.MAX_PART)).isTrue();
    assertThat(PartLayout.plausible(PartLayout.MAX_PART + 64)).isFalse();
  }

  @Test
  void seeds_differ_by_heap_epoch_and_position() {
    Set<Integer> seeds = new HashSet<>();
    for (long epoch = 1; epoch <= 20; epoch++) {
      for (long lsn = 0; lsn < 64 * 100; lsn += 64) {
        seeds.add(LogSeed.seed(LogSeed.key(HEAP, epoch), lsn));
        seeds.add(LogSeed.seed(LogSeed.key(new UUID(epoch, 1), 1), lsn));
      }
    }
    assertThat(seeds).hasSizeGreaterThan(20 * 100 * 2 - 3);
  }

  @Test
  void a_segment_header_survives_encoding_and_no_changed_bit() {
    SegmentHeader header =
        new SegmentHeader(1, LogLayout.BATCHES, HEAP, 7, 3, 2, 640, 64 << 10, 99, 600, 0x1234_5678);
    ByteBuffer bytes = header.encode(LogLayout.MAGIC);
    assertThat(SegmentHeader.decode(bytes, LogLayout.MAGIC)).isEqualTo(header);
    assertThat(SegmentHeader.decode(bytes, LogLayout.MAGIC + 1)).isNull();
    for (int bit = 0; bit < SegmentLayout.HEADER_SIZE * 8; bit++) {
      bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
      assertThat(SegmentHeader.decode(bytes, LogLayout.MAGIC)).isNull();
      bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
    }
  }

  @Test
  void a_batch_header_is_valid_only_for_its_heap_and_epoch_and_unchanged() {
    long key = LogSeed.key(HEAP, 7);
    ByteBuffer bytes = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    BatchLayout.encode(bytes, 0, key, 7, 3, 640, 640, 128, 5);
    assertThat(BatchLayout.valid(bytes, 0, key, 7)).isTrue();
    assertThat(BatchLayout.valid(bytes, 0, LogSeed.key(HEAP, 8), 8)).isFalse();
    assertThat(BatchLayout.valid(bytes, 0, LogSeed.key(new UUID(1, 1), 7), 7)).isFalse();
    for (int bit = 0; bit < BatchLayout.HEADER_SIZE * 8; bit++) {
      bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
      assertThat(BatchLayout.valid(bytes, 0, key, 7)).isFalse();
      bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
    }
  }

  @Test
  void names_of_segments_are_sixteen_hexadecimal_digits() {
    assertThat(LogLayout.name(255)).isEqualTo("log/00000000000000ff");
    assertThat(SegmentCatalog.number("log/00000000000000ff")).isEqualTo(255);
    assertThat(SegmentLayout.isSegment("00000000000000ff")).isTrue();
    assertThat(SegmentLayout.isSegment("00000000000000FF")).isFalse();
    assertThat(SegmentLayout.isSegment("80000000000000ff")).isFalse();
    assertThat(SegmentLayout.isSegment("new")).isFalse();
  }

  @Test
  void options_refuse_sizes_that_cannot_work() {
    LogOptions good = LogOptions.defaults();
    assertThat(good.limit()).isGreaterThanOrEqualTo(4L * good.segmentSize());
    for (int bad : new int[] {0, -1, 32 << 10, (64 << 10) + 1, 96 << 10}) {
      assertThatThrownBy(() -> options(bad, 64 << 10, 1 << 30, 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> options(64 << 10, bad, 1 << 30, 0))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> options(64 << 10, 64 << 10, 64 << 10, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options(64 << 10, 64 << 10, 1 << 30, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void options_take_the_smallest_and_the_largest_sizes() {
    assertThat(options(64 << 10, 64 << 10, 128 << 10, 0).segmentSize()).isEqualTo(64 << 10);
    assertThat(options(1 << 30, 1 << 30, 2L << 30, 1).ringSize()).isEqualTo(1 << 30);
    assertThatThrownBy(() -> options(64 << 10, 64 << 10, (128 << 10) - 1, 0))
        .hasMessage("limit: 131071");
    assertThatThrownBy(
            () -> new LogOptions(64 << 10, 64 << 10, 1 << 20, (1 << 20) - 1, 0, null, true))
        .hasMessage("maxLimit: 1048575");
  }

  @Test
  void the_log_of_a_large_heap_may_take_half_of_its_size() {
    LogOptions options =
        new LogOptions(64 << 10, 64 << 10, 1 << 20, 8 << 20, 0, DurableWrite.DSYNC, true);
    assertThat(options.target(0)).isEqualTo(1 << 20);
    assertThat(options.target(2 << 20)).isEqualTo(1 << 20);
    assertThat(options.target((2 << 20) + 2)).isEqualTo((1 << 20) + 1);
    assertThat(options.target(16 << 20)).isEqualTo(8 << 20);
    assertThat(options.target(1L << 40)).isEqualTo(8 << 20);
    assertThat(options(64 << 10, 64 << 10, 1 << 20, 0).target(1L << 40)).isEqualTo(1 << 20);
  }

  @Test
  void a_pad_covers_its_header_and_a_part_all_of_itself() {
    assertThat(PartLayout.covered(640)).isEqualTo(640);
    assertThat(PartLayout.covered(640 | PartLayout.MORE)).isEqualTo(640);
    assertThat(PartLayout.covered(640 | PartLayout.PAD)).isEqualTo(PartLayout.HEADER_SIZE);
    assertThat(PartLayout.position(16)).isEqualTo(1);
    assertThat(PartLayout.position(16L << 32)).isZero();
    assertThat(PartLayout.align(0)).isZero();
    assertThat(PartLayout.align(17)).isEqualTo(32);
    assertThat(PartLayout.alignDirect(0)).isZero();
    assertThat(PartLayout.alignDirect(64)).isEqualTo(64);
    assertThat(PartLayout.alignDirect(1)).isEqualTo(64);
  }

  @Test
  void a_batch_fills_whole_blocks_and_half_of_a_segment_at_most() {
    assertThat(BatchLayout.size(SegmentLayout.BLOCK - BatchLayout.HEADER_SIZE))
        .isEqualTo(SegmentLayout.BLOCK);
    assertThat(BatchLayout.size(SegmentLayout.BLOCK - BatchLayout.HEADER_SIZE + 1))
        .isEqualTo(2 * SegmentLayout.BLOCK);
    assertThat(BatchLayout.maxPayload(64 << 10)).isEqualTo(32 << 10);
    assertThat(BatchLayout.maxPayload(1 << 30)).isEqualTo(BatchLayout.MAX_PAYLOAD);
  }

  @Test
  void the_capacity_of_a_ring_is_a_power_of_two() {
    ByteBuffer header = RingLayout.header(HEAP, 7, 128 << 10, "boot".repeat(100));
    assertThat(RingLayout.capacity(header)).isEqualTo(128 << 10);
    assertThat(RingLayout.plausible(RingLayout.MIN_CAPACITY)).isTrue();
    assertThat(RingLayout.plausible(RingLayout.MAX_CAPACITY)).isTrue();
    assertThat(RingLayout.plausible(RingLayout.MIN_CAPACITY / 2)).isFalse();
    assertThat(RingLayout.plausible(2L * RingLayout.MAX_CAPACITY)).isFalse();
    assertThat(RingLayout.plausible(96 << 10)).isFalse();
    assertThat(header).isEqualTo(RingLayout.header(HEAP, 7, 128 << 10, "boot".repeat(50)));
    for (ByteBuffer other :
        new ByteBuffer[] {
          RingLayout.header(new UUID(1, 2), 7, 128 << 10, "boot".repeat(50)),
          RingLayout.header(HEAP, 8, 128 << 10, "boot".repeat(50)),
          RingLayout.header(HEAP, 7, 64 << 10, "boot".repeat(50)),
          RingLayout.header(HEAP, 7, 128 << 10, "boot".repeat(49))
        }) {
      assertThat(other).isNotEqualTo(header);
    }
  }

  private static LogOptions options(int segment, int ring, long limit, long interval) {
    return new LogOptions(segment, ring, limit, interval, DurableWrite.DSYNC, false);
  }
}
