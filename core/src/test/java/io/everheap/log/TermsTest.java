package io.everheap.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ReplicationException;
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

  /** One that was believed would be the last: the next one is negative, and everyone fences it. */
  @Test
  void aTermThatNoPromotionGivesIsNotBelieved() {
    long known = Terms.next(0);
    assertThat(Terms.isCredible(known, 0)).isTrue();
    assertThat(Terms.isCredible(known, Terms.next(known))).isTrue();
    assertThat(Terms.isCredible(0, 1000L << Integer.SIZE)).isTrue();
    assertThat(Terms.isCredible(0, 1001L << Integer.SIZE)).isFalse();
    assertThat(Terms.isCredible(known, 0x7FFF_FFFF_0000_0005L)).isFalse();
    assertThat(Terms.isCredible(known, -1)).isFalse();
    assertThat(Terms.isCredible(known, Long.MIN_VALUE)).isFalse();
    assertThatThrownBy(() -> Terms.requireCredible(known, -1))
        .isInstanceOf(ReplicationException.class);
  }

  @Test
  void noPromotionGivesANegativeTerm() {
    assertThat(Terms.next(0x7FFF_FFFE_0000_0005L)).isPositive();
    for (long last : new long[] {0x7FFF_FFFF_0000_0005L, -1, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> Terms.next(last)).isInstanceOf(ReplicationException.class);
    }
  }
}
