package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class AcknowledgedTest {
  private final Acknowledged acknowledged = new Acknowledged();

  @Test
  void everyThreadOfEveryRunHasItsOwnSequence() {
    acknowledged.add(TransferId.of(0, 0, 0), 1, 2, 3);
    acknowledged.add(TransferId.of(0, 1, 0), 4, 5, 6);
    acknowledged.add(TransferId.of(1, 0, 0), 7, 8, 9);
    acknowledged.add(TransferId.of(0, 0, 1), 10, 11, 12);

    assertThat(acknowledged.count()).isEqualTo(4);
    assertThat(acknowledged.sequence(0, 0).size()).isEqualTo(2);
    assertThat(acknowledged.sequence(0, 0).fingerprint(1))
        .isEqualTo(new Transfer(10, 11, 1, 12, 99).fingerprint());
    assertThat(acknowledged.sequence(1, 0).size()).isEqualTo(1);
    assertThat(acknowledged.sequence(1, 1)).isNull();
  }

  @Test
  void manyAcknowledgementsAreAllKept() {
    for (int i = 0; i < 10_000; i++) {
      acknowledged.add(TransferId.of(0, 3, i), i, 0, i);
    }

    assertThat(acknowledged.sequence(0, 3).size()).isEqualTo(10_000);
    assertThat(acknowledged.sequence(0, 3).fingerprint(9_999))
        .isEqualTo(Transfer.fingerprint(9_999, 0, 9_999));
  }

  @Test
  void aGapOrARepetitionIsRefused() {
    acknowledged.add(TransferId.of(0, 0, 0), 1, 2, 3);

    assertThatIllegalStateException()
        .isThrownBy(() -> acknowledged.add(TransferId.of(0, 0, 0), 1, 2, 3));
    assertThatIllegalStateException()
        .isThrownBy(() -> acknowledged.add(TransferId.of(0, 0, 2), 1, 2, 3))
        .withMessageContaining("transfer 2 of thread 0 in run 0 after 1 others");
  }

  @Test
  void transfersThatDifferHaveDifferentFingerprints() {
    long fingerprint = Transfer.fingerprint(1, 2, 3);

    assertThat(Transfer.fingerprint(2, 1, 3)).isNotEqualTo(fingerprint);
    assertThat(Transfer.fingerprint(1, 3, 2)).isNotEqualTo(fingerprint);
    assertThat(Transfer.fingerprint(1, 2, -3)).isNotEqualTo(fingerprint);
  }
}
