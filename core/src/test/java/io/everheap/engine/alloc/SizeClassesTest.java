package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeClassesTest {
  @Test
  void classesGrowIn16ByteStepsTo128AndThenInEighthsOfEachDoublingTo8KiB() {
    assertThat(SizeClasses.bytes(0)).isEqualTo(16);
    assertThat(SizeClasses.bytes(7)).isEqualTo(128);
    assertThat(SizeClasses.bytes(15)).isEqualTo(256);
    assertThat(SizeClasses.bytes(16)).isEqualTo(288);
    assertThat(SizeClasses.bytes(SizeClasses.COUNT - 1)).isEqualTo(8192);
  }

  @Test
  void aBlockGetsTheSmallestClassThatHoldsIt() {
    for (int bytes = 8; bytes <= SizeClasses.MAX_BYTES; bytes++) {
      int sizeClass = SizeClasses.of(bytes);
      assertThat(SizeClasses.bytes(sizeClass)).isGreaterThanOrEqualTo(bytes);
      assertThat(sizeClass == 0 || SizeClasses.bytes(sizeClass - 1) < bytes).isTrue();
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
