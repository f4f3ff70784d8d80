package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FreeChunksTest {
  private static final int EXTENTS = 3;

  @Property(tries = 60)
  void findsTheLowestRunOfOneExtentLikeASearchOfEveryChunk(@ForAll long seed) {
    Random random = new Random(seed);
    int perExtent = 4 << random.nextInt(6);
    FreeChunks free =
        new FreeChunks(ChunkLayout.CHUNK_SHIFT + Integer.numberOfTrailingZeros(perExtent));
    for (int i = 0; i < EXTENTS; i++) {
      free.addExtent();
    }
    BitSet model = new BitSet();
    for (int i = 0; i < 500; i++) {
      int chunk = random.nextInt(EXTENTS * perExtent);
      if (model.get(chunk)) {
        free.remove(chunk);
      } else {
        free.add(chunk);
      }
      model.flip(chunk);
      int length = 1 + random.nextInt(6);
      assertThat(free.run(length)).isEqualTo(lowestRun(model, perExtent, length));
      assertThat(free.size()).isEqualTo(model.cardinality());
    }
  }

  @Test
  void countsTheFreeChunksAtTheEndOfAnExtent() {
    FreeChunks free = new FreeChunks(ChunkLayout.CHUNK_SHIFT + 3);
    free.addExtent();
    free.addExtent();
    for (int chunk : new int[] {5, 6, 7, 9, 10}) {
      free.add(chunk);
    }
    assertThat(free.trailing(8)).isEqualTo(3);
    assertThat(free.trailing(11)).isEqualTo(2);
    assertThat(free.trailing(9)).isZero();
  }

  /** More often than an int counts. */
  @Campaign
  @Test
  void aChunkIsTakenAndFreedAnyNumberOfTimes() {
    FreeChunks free = new FreeChunks(ChunkLayout.CHUNK_SHIFT + 3);
    free.addExtent();
    free.add(1);
    for (int i = 0; i < 1 << 30; i++) {
      free.remove(1);
      free.add(1);
    }
    assertThat(free.lowest()).isEqualTo(1);
  }

  private static int lowestRun(BitSet model, int perExtent, int length) {
    for (int start = 0; start < EXTENTS * perExtent; start++) {
      boolean fits = start / perExtent == (start + length - 1) / perExtent;
      if (fits && model.nextClearBit(start) >= start + length) {
        return start;
      }
    }
    return -1;
  }
}
