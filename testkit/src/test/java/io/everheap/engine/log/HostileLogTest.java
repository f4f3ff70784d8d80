package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.MediumFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files made to harm, with correct checksums, end in an exception within bounded time. */
class HostileLogTest {
  private static final long[] NASTY = {
    0,
    1,
    -1,
    63,
    64,
    4096,
    65_535,
    65_536,
    1L << 31,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MAX_VALUE,
    Long.MAX_VALUE - 63
  };

  private static LogFixture heap(String kind) {
    LogFixture heap = LogFixture.create(kind);
    for (long value = 1; value <= 20; value++) {
      heap.append(value, 300);
      heap.log.awaitDurable(heap.log.appended());
    }
    heap.reboot();
    return heap;
  }

  private static void readAnything(LogFixture heap) {
    try {
      heap.values(heap.read());
    } catch (EverheapException e) {
      assertThat(e).isInstanceOfAny(CorruptException.class, ForeignException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void segment_headers_with_any_numbers(String kind) {
    LogFixture original = heap(kind);
    for (String plain : original.medium().list("log")) {
      for (int field = 0; field < 10; field++) {
        for (long nasty : NASTY) {
          LogFixture changed = original.copy();
          ByteBuffer bytes = ByteBuffer.wrap(changed.bytes("log/" + plain));
          SegmentHeader h =
              SegmentHeader.decode(bytes.order(ByteOrder.LITTLE_ENDIAN), LogLayout.MAGIC);
          if (h == null) {
            continue;
          }
          SegmentHeader bad =
              new SegmentHeader(
                  field == 0 ? (int) nasty : h.version(),
                  field == 1 ? (int) nasty : h.alignment(),
                  h.uuid(),
                  field == 2 ? nasty : h.epoch(),
                  field == 3 ? nasty : h.ordinal(),
                  field == 4 ? nasty : h.previous(),
                  field == 5 ? nasty : h.first(),
                  field == 6 ? nasty : h.size(),
                  field == 7 ? nasty : h.time(),
                  field == 8 ? nasty : h.durable(),
                  field == 9 ? (int) nasty : h.chain());
          bytes.put(0, bad.encode(LogLayout.MAGIC).array());
          changed.damage("log/" + plain, 0, bytes.array());
          readAnything(changed);
        }
      }
    }
  }

  @Test
  void batch_headers_with_any_numbers() {
    LogFixture original = heap("file");
    long key = LogSeed.key(LogFixture.HEAP, 1);
    for (int field = 0; field < 5; field++) {
      for (long nasty : NASTY) {
        for (int batch : new int[] {1, 2, 10}) {
          LogFixture changed = original.copy();
          ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
          byte[] all = changed.bytes("log/0000000000000000");
          header.put(0, all, batch * 4096, 64);
          BatchLayout.encode(
              header,
              0,
              key,
              1,
              field == 0 ? nasty : header.getLong(BatchLayout.ORDINAL),
              field == 1 ? nasty : header.getLong(BatchLayout.START_LSN),
              field == 2 ? nasty : header.getLong(BatchLayout.DURABLE_LSN),
              field == 3 ? (int) nasty : header.getInt(BatchLayout.LENGTH),
              field == 4 ? (int) nasty : header.getInt(BatchLayout.CHAIN));
          changed.damage("log/0000000000000000", batch * 4096L, header.array());
          readAnything(changed);
          changed.lsn = 64;
          readAnything(changed);
        }
      }
    }
  }

  @Test
  void ring_headers_with_any_numbers() {
    LogFixture original = heap("file");
    for (long nasty : NASTY) {
      LogFixture changed = original.copy();
      changed.damage(
          "ring",
          0,
          RingLayout.header(LogFixture.HEAP, 1, nasty, changed.medium().incarnation()).array());
      readAnything(changed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "dax"})
  void entries_with_any_numbers_under_a_correct_checksum(String kind) {
    Random random = new Random(17);
    for (int round = 0; round < 300; round++) {
      LogFixture heap = LogFixture.create(kind);
      heap.log.reserve(64);
      int at = heap.log.openPart(128);
      for (int i = 16; i < 128; i += 8) {
        long word = random.nextLong();
        heap.log.buffer().putLong(at + i, random.nextInt(3) == 0 ? word & 0x3FFF_FFFFL : word);
      }
      heap.log.closePart(128, false);
      heap.log.awaitDurable(heap.log.appended());
      try {
        heap.read();
      } catch (EverheapException e) {
        assertThat(e).isInstanceOf(CorruptException.class).hasMessageContaining("(EH-CORRUPT-LOG)");
      }
    }
  }

  @Test
  void a_segment_full_of_candidates_is_refused_in_bounded_time() {
    LogFixture heap = LogFixture.create("dax");
    heap.commit(1);
    ByteBuffer bytes =
        ByteBuffer.wrap(heap.bytes("log/0000000000000000")).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 4096 + 64; at < bytes.capacity(); at += 64) {
      bytes.putInt(at + PartLayout.POSITION, PartLayout.position(at - 4096));
      bytes.putInt(at + PartLayout.LENGTH, 64);
    }
    heap.damage("log/0000000000000000", 0, bytes.array());
    assertThatThrownBy(heap::read)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)");
  }

  @Test
  void files_with_strange_names_and_sizes_are_left_alone() {
    LogFixture heap = heap("file");
    for (String name :
        new String[] {"log/x", "log/00000000000000000", "log/ffffffffffffffff", "log/new"}) {
      try (MediumFile file = heap.medium().create(name)) {
        file.truncate(name.length());
      }
    }
    assertThat(heap.values()).hasSize(20);
    assertThat(heap.reopen()).hasSize(20);
    heap.commit(21);
    assertThat(heap.values()).containsExactly(21L);
  }

  @Test
  void entries_are_taken_apart_word_by_word() {
    ByteBuffer part = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
    part.putLong(16, EntryLayout.fill(800)).putLong(24, EntryLayout.fillShape(16, 5));
    part.putLong(32, 77).putLong(40, EntryLayout.run(8, 2)).putLong(48, 1).putLong(56, 2);
    StringBuilder seen = new StringBuilder();
    boolean good =
        EntryReader.read(
            MemorySegment.ofBuffer(part),
            0,
            128,
            new EntrySink() {
              @Override
              public void run(long address, MemorySegment source, long offset, int words) {
                seen.append("run ").append(address).append('x').append(words).append(' ');
              }

              @Override
              public void fill(long address, long stride, long times, long value) {
                seen.append("fill ").append(address).append('+').append(stride);
                seen.append('x').append(times).append('=').append(value).append(' ');
              }
            });
    assertThat(good).isTrue();
    assertThat(seen).hasToString("fill 800+16x5=77 run 8x2 ");
    for (long bad :
        new long[] {
          3L << 60, EntryLayout.run(8, 0), EntryLayout.run(8, 14), 5, EntryLayout.run(-8, 3) & ~0L
        }) {
      part.putLong(16, bad);
      assertThat(EntryReader.read(MemorySegment.ofBuffer(part), 0, 128, EntrySink.NOTHING))
          .as(Long.toHexString(bad))
          .isFalse();
    }
    part.putLong(16, EntryLayout.fill(800));
    for (long shape : new long[] {0, 16, 5L << 32, EntryLayout.fillShape(4, 1), -8}) {
      part.putLong(24, shape);
      assertThat(EntryReader.read(MemorySegment.ofBuffer(part), 0, 128, EntrySink.NOTHING))
          .as(Long.toHexString(shape))
          .isFalse();
    }
  }

  @Test
  void a_part_that_does_not_follow_the_one_before_it_ends_the_log() {
    LogFixture heap = LogFixture.create("dax");
    long end = heap.commit(1);
    heap.commit(2);
    ByteBuffer record = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    int at = SegmentLayout.START + (int) end;
    record.put(0, heap.bytes("log/0000000000000000"), at, 64);
    record.putInt(PartLayout.PREVIOUS_CRC, record.getInt(PartLayout.PREVIOUS_CRC) + 1);
    record.putInt(0, LogSeed.seed(LogSeed.key(LogFixture.HEAP, 1), end));
    CRC32C crc = new CRC32C();
    crc.update(record.array());
    record.putInt(0, (int) crc.getValue());
    heap.damage("log/0000000000000000", at, record.array());
    assertThat(heap.values()).containsExactly(1L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void a_batch_that_does_not_belong_where_it_stands_ends_the_log(int field) {
    LogFixture heap = LogFixture.create("file");
    long end = heap.commit(1);
    int chain = heap.log.chain();
    heap.commit(2);
    heap.reboot();
    long at = SegmentLayout.START + BatchLayout.size(end);
    ByteBuffer header = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    BatchLayout.encode(
        header,
        0,
        LogSeed.key(LogFixture.HEAP, 1),
        1,
        field == 0 ? 2 : 1,
        field == 1 ? end + 64 : end,
        end,
        64,
        field == 2 ? chain + 1 : chain);
    heap.damage("log/0000000000000000", at, header.array());
    assertThat(heap.values()).containsExactly(1L);
  }
}
