package io.everheap.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TermsTest {
  @Test
  void aPromotionHasAHigherTermThanAnyOfFewerPromotions() {
    long term = 0;
    for (int promotions = 1; promotions < 1000; promotions++) {
      long next = Terms.next(term);
      assertThat(next >>> Integer.SIZE).isEqualTo(promotions);
      assertThat(next).isGreaterThan(term);
      term = next | 0xFFFF_FFFFL; // the highest that there could have been
    }
  }

  @Test
  void twoPromotionsOfTheSameReplicaDiffer() {
    assertThat(Terms.next(0)).isNotEqualTo(Terms.next(0)); // but for one of four billion runs
  }
}
