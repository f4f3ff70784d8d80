package io.everheap.benchmarks.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private static final int ITEMS = 16_384;

  @Test
  void noTwoRanksShareAKey() {
    assertThat(LongStream.range(0, ITEMS).map(Distribution::key).distinct().count())
        .isEqualTo(ITEMS);
  }

  @Test
  void ofAZipfDistributionTheFirstRankIsTwiceAsFrequentAsTheSecond() {
    int[] counts = counts(Distribution.zipf(ITEMS, 1));

    assertThat((double) counts[0] / counts[1]).isBetween(1.9, 2.1);
    assertThat((double) counts[0] / counts[9]).isBetween(9.0, 11.0);
  }

  @Test
  void ofAUniformDistributionEachRankIsAsFrequentAsAnyOther() {
    int[] counts = counts(Distribution.uniform(10));

    assertThat(counts).hasSize(ITEMS);
    for (int i = 0; i < 10; i++) {
      assertThat(counts[i]).isBetween(98_000, 102_000);
    }
  }

  private static int[] counts(Distribution distribution) {
    SplittableRandom random = new SplittableRandom(1);
    int[] counts = new int[ITEMS];
    for (int i = 0; i < 1_000_000; i++) {
      counts[distribution.rank(random)]++;
    }
    return counts;
  }
}
