package io.everheap.collection.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.base.Retry;
import io.everheap.memory.Region;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted without branches is what a comparison with each head counts. */
class NodeRankTest {
  private static final int AT = 64;

  private final SplittableRandom random = new SplittableRandom(11);
  private final Region region = Region.allocate(8192);
  private final byte[] order = new byte[SortedLayout.CAPACITY];

  @AfterEach
  void close() {
    region.close();
  }

  /** Makes a node of these heads, which rise, at places in any order; the others hold anything. */
  private void node(long[] heads) {
    for (int i = 0; i < SortedLayout.CAPACITY; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = (byte) i;
    }
    for (int i = 0; i < SortedLayout.CAPACITY; i++) {
      region.putByte(AT + SortedLayout.ORDER + i, order[i]);
      long head = i < heads.length ? heads[i] : random.nextLong();
      region.putLong(AT + SortedLayout.HEADS + 8L * order[i], head);
    }
  }

  private void check(long[] heads, long word) {
    int rank = NodeRank.of(region, AT, heads.length, word);
    assertThat(rank).isBetween(0, heads.length);
    for (int i = 0; i < rank; i++) {
      assertThat(Long.compareUnsigned(heads[i], word)).isNegative();
    }
    boolean decided =
        rank == heads.length
            || rank == SortedLayout.CAPACITY - 1
            || Long.compareUnsigned(heads[rank], word) >= 0
            || (heads[rank] ^ word) == 1;
    assertThat(decided).isTrue();
  }

  @Test
  void allBeforeTheRankIsLessAndWhatIsThereIsNotButForTheLowestBit() {
    for (int run = 0; run < 2000; run++) {
      long[] heads = new long[random.nextInt(SortedLayout.CAPACITY + 1)];
      long range = run % 3 == 0 ? 0 : run % 3 == 1 ? 20 : Long.MAX_VALUE; // 0: all numbers
      for (int i = 0; i < heads.length; i++) {
        heads[i] = (range == 0 ? random.nextLong() : random.nextLong(range)) ^ Long.MIN_VALUE;
      }
      Arrays.sort(heads);
      for (int i = 0; i < heads.length; i++) {
        heads[i] ^= Long.MIN_VALUE; // now they rise as unsigned numbers
      }
      node(heads);
      for (long head : heads) {
        check(heads, head);
        check(heads, head - 1);
        check(heads, head + 1);
      }
      check(heads, 0);
      check(heads, -1);
      check(heads, random.nextLong());
    }
  }

  @Test
  void aPlaceThatANodeDoesNotHaveLeadsToTheGeneralWay() {
    long[] heads = new long[SortedLayout.CAPACITY];
    Arrays.setAll(heads, i -> 2L * i);
    node(heads);
    region.putByte(AT + SortedLayout.ORDER + 23, (byte) SortedLayout.CAPACITY);
    assertThatThrownBy(() -> NodeRank.of(region, AT, heads.length, 5)).isSameAs(Retry.INSTANCE);
    region.putByte(AT + SortedLayout.ORDER + 23, order[23]);
    region.putByte(AT + SortedLayout.ORDER + 2, (byte) -1);
    assertThatThrownBy(() -> NodeRank.of(region, AT, heads.length, 5)).isSameAs(Retry.INSTANCE);
  }
}
