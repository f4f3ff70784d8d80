package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StripesTest {
  private static final int LAST = Stripes.COUNT - 1;

  @Test
  void aStripeIsOddWhileACommitIsAppliedToIt() {
    Stripes stripes = new Stripes();
    long before = stripes.sample(5);
    assertThat(before & 1).isZero();
    assertThat(stripes.valid(5, before)).isTrue();
    stripes.open(new int[] {5, LAST}, 2);
    assertThat(stripes.sample(5)).isEqualTo(before + 1);
    assertThat(stripes.sample(LAST) & 1).isEqualTo(1);
    assertThat(stripes.valid(5, before)).isFalse();
    stripes.close(new int[] {5, LAST}, 2);
    assertThat(stripes.sample(5)).isEqualTo(before + 2);
    assertThat(stripes.sample(LAST)).isEqualTo(2);
    assertThat(stripes.valid(5, before)).isFalse();
    assertThat(stripes.valid(5, before + 2)).isTrue();
  }

  @Test
  void otherStripesStayValid() {
    Stripes stripes = new Stripes();
    int[] touched = {5, 6, 7};
    stripes.open(touched, 2); // not the third
    assertThat(stripes.valid(4, 0)).isTrue();
    assertThat(stripes.valid(7, 0)).isTrue();
    assertThat(stripes.valid(0, 0)).isTrue();
    stripes.close(touched, 2);
    assertThat(stripes.valid(7, 0)).isTrue();
    assertThat(stripes.valid(0, 0)).isTrue();
    assertThat(stripes.valid(6, 0)).isFalse();
  }

  @Test
  void aHashBeyondTheStripesFindsTheStripeOfItsLowBits() {
    Stripes stripes = new Stripes();
    stripes.open(new int[] {3}, 1);
    assertThat(stripes.sample(3 + Stripes.COUNT)).isEqualTo(1);
    assertThat(stripes.valid(3 + Stripes.COUNT, 0)).isFalse();
    assertThat(stripes.sample(4 + Stripes.COUNT)).isZero();
  }

  @Test
  void theSequenceIsOddWhileAnyCommitIsApplied() {
    Stripes stripes = new Stripes();
    assertThat(stripes.sequence()).isZero();
    for (int commit = 0; commit < 3; commit++) {
      long before = stripes.sequence();
      assertThat(before).isEqualTo(2L * commit);
      assertThat(stripes.sequenceValid(before)).isTrue();
      stripes.open(new int[0], 0);
      assertThat(stripes.sequence()).isEqualTo(before + 1);
      assertThat(stripes.sequenceValid(before)).isFalse();
      stripes.close(new int[0], 0);
      assertThat(stripes.sequence()).isEqualTo(before + 2);
      assertThat(stripes.sequenceValid(before)).isFalse();
    }
  }

  @Test
  void onAReplicaEachCommitChangesAllStripes() {
    Stripes stripes = new Stripes(true);
    stripes.open(new int[0], 0);
    assertThat(stripes.sample(0)).isEqualTo(1);
    assertThat(stripes.sample(LAST)).isEqualTo(1);
    assertThat(stripes.valid(77, 0)).isFalse();
    assertThat(stripes.sequence()).isEqualTo(1);
    stripes.close(new int[0], 0);
    assertThat(stripes.sample(LAST)).isEqualTo(2);
    assertThat(stripes.valid(77, 2)).isTrue();
    assertThat(stripes.sequence()).isEqualTo(2);
  }
}
