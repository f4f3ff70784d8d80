package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SizeClassesTest {
  @Test
  void sizesGrowIn16ByteStepsTo256AndThenInSixteenthsOfEachDoublingTo8KiB() {
    List<Integer> sizes = new ArrayList<>();
    for (int bytes = 16; bytes <= 256; bytes += 16) {
      sizes.add(bytes);
    }
    for (int from = 256; from < 8192; from *= 2) {
      for (int i = 1; i <= 16; i++) {
        sizes.add(from + i * from / 16);
      }
    }
    assertThat(
            IntStream.range(0, SizeClasses.COUNT).map(SizeClasses::bytes).sorted().boxed().toList())
        .isEqualTo(sizes);
  }

  @Test
  void theNumbersOfCoarseClassesAreThoseOfHeapsThatHaveNoFineOnes() {
    assertThat(SizeClasses.bytes(0)).isEqualTo(16);
    assertThat(SizeClasses.bytes(7)).isEqualTo(128);
    assertThat(SizeClasses.bytes(15)).isEqualTo(256);
    assertThat(SizeClasses.bytes(16)).isEqualTo(288);
    assertThat(SizeClasses.bytes(SizeClasses.COARSE - 1)).isEqualTo(8192);
    for (int i = 0; i < SizeClasses.COARSE; i++) {
      int below = i == 0 ? 0 : SizeClasses.bytes(i - 1);
      assertThat(SizeClasses.mayHold(i, below)).isFalse();
      assertThat(SizeClasses.mayHold(i, below + 1)).isTrue();
      assertThat(SizeClasses.mayHold(i, SizeClasses.bytes(i))).isTrue();
      assertThat(SizeClasses.mayHold(i, SizeClasses.bytes(i) + 1)).isFalse();
    }
  }

  @Test
  void aBlockGetsTheSmallestClassThatHoldsIt() {
    for (int bytes = 8; bytes <= SizeClasses.MAX_BYTES; bytes++) {
      int sizeClass = SizeClasses.of(bytes);
      assertThat(SizeClasses.bytes(sizeClass)).isGreaterThanOrEqualTo(bytes);
      assertThat(SizeClasses.mayHold(sizeClass, bytes)).isTrue();
      for (int other = 0; other < SizeClasses.COUNT; other++) {
        int size = SizeClasses.bytes(other);
        assertThat(size < bytes || size >= SizeClasses.bytes(sizeClass)).isTrue();
      }
    }
  }

  @Test
  void slotsFillAChunkBehindItsBitmapAndAreAligned() {
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      int bytes = SizeClasses.bytes(i);
      int end = SizeClasses.first(i) + SizeClasses.slots(i) * bytes;
      assertThat(SizeClasses.first(i)).isGreaterThanOrEqualTo(64 + 8 * SizeClasses.words(i));
      assertThat(end).isBetween(ChunkLayout.CHUNK_BYTES - bytes - 64, ChunkLayout.CHUNK_BYTES);
      assertThat(SizeClasses.first(i) % (bytes % 64 == 0 ? 64 : 16)).isZero();
      assertThat(SizeClasses.slots(i)).isLessThanOrEqualTo(64 * SizeClasses.words(i));
    }
  }

  /** The layout is part of the format: a heap does not say where its slots are. */
  @Test
  void aChunkHasAsManySlotsAsFitBehindTheBitsForThem() {
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      int bytes = SizeClasses.bytes(i);
      int alignment = 64;
      while (bytes % alignment != 0) {
        alignment /= 2;
      }
      int slots = 1;
      while (first(slots + 1, alignment) + (slots + 1) * bytes <= ChunkLayout.CHUNK_BYTES) {
        slots++;
      }
      assertThat(SizeClasses.slots(i)).as("%s bytes", bytes).isEqualTo(slots);
      assertThat(SizeClasses.first(i)).as("%s bytes", bytes).isEqualTo(first(slots, alignment));
      assertThat(SizeClasses.words(i)).isEqualTo((slots + 63) / 64);
    }
  }

  private static int first(int slots, int alignment) {
    int end = 64 + (slots + 63) / 64 * 8;
    return (end + alignment - 1) / alignment * alignment;
  }

  /** The block that just fits into a coarse slot, and the smallest that may be there. */
  @Test
  void theUnusedSpaceOfASlotIsLessThanToTheNextSmallerCoarseClass() {
    assertThat(SizeClasses.maxSlack(SizeClasses.of(16))).isEqualTo(8);
    assertThat(SizeClasses.maxSlack(SizeClasses.of(256))).isEqualTo(8);
    assertThat(SizeClasses.maxSlack(SizeClasses.of(272))).isEqualTo(8);
    assertThat(SizeClasses.maxSlack(SizeClasses.of(288))).isEqualTo(24);
    assertThat(SizeClasses.maxSlack(SizeClasses.of(8192))).isEqualTo(512 - 8);
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      int least = SizeClasses.bytes(i) - SizeClasses.maxSlack(i);
      assertThat(SizeClasses.mayHold(i, least)).isTrue();
      assertThat(SizeClasses.mayHold(i, least - 8)).isFalse();
    }
  }

  @Test
  void aSlotIsFoundAtItsFirstByteOnly() {
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      int first = SizeClasses.first(i);
      int bytes = SizeClasses.bytes(i);
      for (int offset = 0; offset < ChunkLayout.CHUNK_BYTES; offset += 8) {
        int inside = offset - first;
        boolean starts =
            inside >= 0 && inside % bytes == 0 && inside / bytes < SizeClasses.slots(i);
        int expected = starts ? inside / bytes : -1;
        if (SizeClasses.slotAt(i, offset) != expected) {
          throw new AssertionError("class " + i + " offset " + offset);
        }
      }
    }
  }

  @Test
  void onlyTheBitsBehindTheLastSlotArePadding() {
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      int padding = 0;
      for (int word = 0; word < SizeClasses.words(i); word++) {
        padding += Long.bitCount(SlotLayout.padding(i, word));
      }
      assertThat(padding).isEqualTo(64 * SizeClasses.words(i) - SizeClasses.slots(i));
    }
  }
}
