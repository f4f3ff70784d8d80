package io.everheap.cache.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Seeds;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Free runs of a segment, compared with one bit for each granule. */
class FreeRunsTest {
  private static final int GRANULES = 120;

  /** The bits of what is free. */
  private final BitSet model = new BitSet();

  private final FreeRuns runs = new FreeRuns();

  private void requireSame() {
    assertThat(runs.total()).isEqualTo(model.cardinality());
    int longest = 0;
    for (int from = model.nextSetBit(0); from >= 0; ) {
      int end = model.nextClearBit(from);
      longest = Math.max(longest, end - from);
      from = model.nextSetBit(end);
    }
    assertThat(runs.longest()).isEqualTo(longest);
  }

  private boolean isFree(int start, int length) {
    return model.nextClearBit(start) >= start + length;
  }

  /** The start that the highest of the shortest sufficient runs gives at its end; -1 if none. */
  private int expected(int length) {
    int best = -1;
    int bestLength = Integer.MAX_VALUE;
    for (int from = model.nextSetBit(0); from >= 0; ) {
      int end = model.nextClearBit(from);
      if (end - from >= length && end - from <= bestLength) {
        best = end - length;
        bestLength = end - from;
      }
      from = model.nextSetBit(end);
    }
    return best;
  }

  @Test
  void whatIsGivenAndTakenInAnyOrderIsCounted() {
    Random random = new Random(Seeds.seed());
    requireSame();
    runs.give(0, GRANULES);
    model.set(0, GRANULES);
    for (int step = 0; step < 3000; step++) {
      int start = random.nextInt(GRANULES);
      int length = 1 + random.nextInt(Math.min(random.nextInt(4) == 0 ? 30 : 6, GRANULES - start));
      assertThat(runs.isFree(start, length)).isEqualTo(isFree(start, length));
      switch (random.nextInt(3)) {
        case 0 -> {
          int expected = expected(length);
          assertThat(runs.take(length)).isEqualTo(expected);
          if (expected >= 0) {
            model.clear(expected, expected + length);
          }
        }
        case 1 -> {
          if (isFree(start, length)) {
            runs.take(start, length);
            model.clear(start, start + length);
          }
        }
        default -> give(start, length);
      }
      requireSame();
    }
  }

  private void give(int start, int length) {
    if (model.get(start, start + length).isEmpty()) {
      runs.give(start, length);
      model.set(start, start + length);
    } else {
      assertThatThrownBy(() -> runs.give(start, length))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("are free already");
    }
  }

  @Test
  void neighboursAreJoinedOnBothSides() {
    runs.give(10, 5);
    runs.give(20, 5);
    assertThat(runs.longest()).isEqualTo(5);
    assertThat(runs.isFree(10, 15)).isFalse();
    runs.give(15, 5);
    assertThat(runs.longest()).isEqualTo(15);
    assertThat(runs.isFree(10, 15)).isTrue();
    assertThat(runs.isFree(10, 16)).isFalse();
    assertThat(runs.isFree(9, 2)).isFalse();
    assertThat(runs.isFree(Integer.MAX_VALUE, 2)).isFalse();
    assertThat(runs.take(16)).isEqualTo(-1);
    assertThat(runs.take(15)).isEqualTo(10);
    assertThat(runs.longest()).isZero();
  }
}
