package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The sizes and probabilities that the TPC-B standard lays down. */
class LayoutTest {
  private static final int DRAWS = 100_000;

  @Test
  void aBranchHasTenTellersAndAHundredThousandAccounts() {
    var layout = new Layout(3);

    assertThat(layout.branches()).isEqualTo(3);
    assertThat(layout.tellers()).isEqualTo(30);
    assertThat(layout.accounts()).isEqualTo(300_000);
    assertThat(layout.branchOfTeller(29)).isEqualTo(2);
    assertThat(layout.branchOfAccount(100_000)).isEqualTo(1);
  }

  @Test
  void eightyFivePercentOfTheAccountsBelongToTheTellersBranch() {
    var layout = new Layout(4);
    var random = new SplittableRandom(1);
    int home = 0;
    for (int i = 0; i < DRAWS; i++) {
      Transfer transfer = layout.draw(random, 0);
      if (layout.branchOfAccount(transfer.account()) == transfer.branch()) {
        home++;
      }
    }

    assertThat(home).isBetween(DRAWS * 84 / 100, DRAWS * 86 / 100);
  }

  @Test
  void everyDrawIsAValidTransfer() {
    for (int scale = 1; scale <= 3; scale++) {
      var layout = new Layout(scale);
      var random = new SplittableRandom(scale);
      for (int i = 0; i < DRAWS; i++) {
        Transfer transfer = layout.draw(random, 7);
        assertThat(transfer.teller()).isBetween(0L, layout.tellers() - 1);
        assertThat(transfer.account()).isBetween(0L, layout.accounts() - 1);
        assertThat(transfer.branch()).isEqualTo(layout.branchOfTeller(transfer.teller()));
        assertThat(transfer.delta()).isBetween(-999_999L, 999_999L);
        assertThat(transfer.time()).isEqualTo(7);
      }
    }
  }
}
