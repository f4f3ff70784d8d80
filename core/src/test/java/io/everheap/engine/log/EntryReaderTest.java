package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries of a part, well-formed or not, at the borders of what they may say. */
class EntryReaderTest {
  private static final long LAST = ((1L << 44) - 1) * 8;
  private static final int AT = 32;

  private final ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
  private final List<String> found = new ArrayList<>();

  private final EntrySink sink =
      new EntrySink() {
        @Override
        public void run(long address, MemorySegment source, long offset, int words) {
          StringBuilder run = new StringBuilder("run " + address + ":");
          for (int i = 0; i < words; i++) {
            run.append(' ').append(bytes.getLong((int) offset + 8 * i));
          }
          found.add(run.toString());
        }

        @Override
        public void fill(long address, long stride, long times, long value) {
          found.add("fill " + address + " " + stride + " " + times + " " + value);
        }
      };

  @Test
  void entriesArePassedOnInTheirOrder() {
    long[] entries = {
      EntryLayout.run(80, 2), 11, 12, EntryLayout.fill(160), EntryLayout.fillShape(24, 3), 13
    };
    assertThat(read(entries)).isTrue();
    assertThat(found).containsExactly("run 80: 11 12", "fill 160 24 3 13");
  }

  @Test
  void theEndOfThePartOrAZeroEndsTheEntries() {
    assertThat(read(EntryLayout.run(80, 1), 11)).isTrue();
    assertThat(read(EntryLayout.run(88, 1), 12, 0, EntryLayout.run(96, 1), 13)).isTrue();
    assertThat(read()).isTrue();
    assertThat(found).containsExactly("run 80: 11", "run 88: 12");
    assertThat(read(5)).as("a zero type with other bits").isFalse();
  }

  @Test
  void aRunEndsWithinThePart() {
    assertThat(read(EntryLayout.run(80, 3), 11, 12)).isFalse();
    assertThat(read(EntryLayout.run(80, 0))).isFalse();
    assertThat(found).isEmpty();
    assertThat(read(EntryLayout.run(80, 3), 11, 12, 13)).isTrue();
  }

  @Test
  void aRunEndsWithinTheAddresses() {
    assertThat(read(EntryLayout.run(LAST, 1), 11)).isTrue();
    assertThat(read(EntryLayout.run(LAST - 8, 2), 11, 12)).isTrue();
    assertThat(read(EntryLayout.run(LAST, 2), 11, 12)).isFalse();
    assertThat(found).hasSize(2);
  }

  @Test
  void aFillHasAStrideOfWordsAndAtLeastOneStore() {
    assertThat(readFill(80, 8, 1)).isTrue();
    assertThat(readFill(80, 0, 1)).isFalse();
    assertThat(readFill(80, 8, 0)).isFalse();
    assertThat(readFill(80, 12, 1)).isFalse();
    assertThat(found).containsExactly("fill 80 8 1 7");
  }

  @Test
  void aFillEndsWithinTheAddresses() {
    assertThat(readFill(LAST, 8, 1)).isTrue();
    assertThat(readFill(LAST, 8, 2)).isFalse();
    assertThat(readFill(LAST - 800, 8, 101)).isTrue();
    assertThat(readFill(LAST - 800, 8, 102)).isFalse();
    assertThat(readFill(LAST - 800, 400, 3)).isTrue();
    assertThat(readFill(LAST - 800, 400, 4)).isFalse();
  }

  @Test
  void aFillHasTwoWords() {
    long short1 = EntryLayout.fill(80) - (1L << 44);
    long long3 = EntryLayout.fill(80) + (1L << 44);
    assertThat(read(short1, EntryLayout.fillShape(8, 1))).isFalse();
    assertThat(read(long3, EntryLayout.fillShape(8, 1), 7, 7)).isFalse();
    assertThat(read(EntryLayout.fill(80), EntryLayout.fillShape(8, 1))).isFalse();
    assertThat(found).isEmpty();
  }

  @Test
  void anotherTypeIsNotWellFormedAndWhatComesBeforeItIsPassedOn() {
    long unknown = 3L << 60 | EntryLayout.run(80, 1) << 4 >>> 4;
    assertThat(read(EntryLayout.run(88, 1), 11, unknown, 12)).isFalse();
    assertThat(found).containsExactly("run 88: 11");
  }

  private boolean readFill(long address, long stride, long times) {
    return read(EntryLayout.fill(address), EntryLayout.fillShape(stride, times), 7);
  }

  private boolean read(long... words) {
    int at = AT + PartLayout.HEADER_SIZE;
    for (long word : words) {
      bytes.putLong(at, word);
      at += 8;
    }
    // What lies after the part looks like a run.
    bytes.putLong(at, EntryLayout.run(8, 1));
    return EntryReader.read(MemorySegment.ofBuffer(bytes.clear()), AT, at - AT, sink);
  }
}
