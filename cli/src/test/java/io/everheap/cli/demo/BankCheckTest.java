package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every way in which a bank can be wrong must be seen by the check that the demo relies on. */
class BankCheckTest {
  private static final int RUNS = 2;
  private static final int THREADS = 2;
  private static final String FILLER = "filler";

  private final Layout layout = new Layout(2);
  private final Acknowledged acknowledged = new Acknowledged();
  private final Map<Long, Teller> accounts = new HashMap<>();
  private final Map<Long, Teller> tellers = new HashMap<>();
  private final Map<Long, Branch> branches = new HashMap<>();
  private final Map<Long, Transfer> history = new TreeMap<>();

  @BeforeEach
  void aBankWithSomeTransfers() {
    for (long id = 0; id < layout.accounts(); id++) {
      accounts.put(id, new Teller(layout.branchOfAccount(id), 0, FILLER));
    }
    for (long id = 0; id < layout.tellers(); id++) {
      tellers.put(id, new Teller(layout.branchOfTeller(id), 0, FILLER));
    }
    for (long id = 0; id < layout.branches(); id++) {
      branches.put(id, new Branch(0, FILLER));
    }
    acknowledge(TransferId.of(0, 0, 0), new Transfer(5, 3, 0, 100, 1));
    acknowledge(TransferId.of(0, 0, 1), new Transfer(5, 3, 0, -30, 2));
    acknowledge(TransferId.of(0, 1, 0), new Transfer(150_000, 12, 1, 999_999, 3));
    acknowledge(TransferId.of(1, 1, 0), new Transfer(7, 12, 1, -999_999, 4));
  }

  @Test
  void aSoundBankPasses() {
    CheckResult result = check();

    assertThat(result.problems()).isEmpty();
    assertThat(result.passed()).isTrue();
    assertThat(result.transfers()).isEqualTo(4);
    assertThat(result.lost()).isZero();
    assertThat(result.money()).isZero();
    assertThat(result.unacknowledged()).isZero();
  }

  @Test
  void theTransferUnderWayAtTheKillMayBeThere() {
    apply(TransferId.of(0, 1, 1), new Transfer(8, 4, 0, 5, 9));
    apply(TransferId.of(1, 0, 0), new Transfer(8, 4, 0, 5, 9));

    assertThat(check().passed()).isTrue();
    assertThat(check().unacknowledged()).isEqualTo(2);
  }

  @Test
  void aLostTransferIsFound() {
    undo(TransferId.of(0, 0, 1));

    assertThat(check().lost()).isEqualTo(1);
    assertThat(check().problems())
        .containsExactly(
            "transfer 1 of thread 0 in run 0 was acknowledged and is not in the history");
  }

  @Test
  void allTransfersOfALostThreadAreFound() {
    undo(TransferId.of(0, 0, 0));
    undo(TransferId.of(0, 0, 1));

    assertThat(check().lost()).isEqualTo(2);
  }

  @Test
  void aLostHistoryRowWhoseMoneyMovedIsFoundTwice() {
    history.remove(TransferId.of(0, 0, 0));

    CheckResult result = check();

    assertThat(result.lost()).isEqualTo(1);
    assertThat(result.money()).isEqualTo(100);
    assertThat(result.problems())
        .anyMatch(problem -> problem.startsWith("account 5 holds 70, but its transfers make -30"))
        .anyMatch(problem -> problem.startsWith("the sums differ"));
  }

  @Test
  void moneyFromNowhereIsFound() {
    accounts.computeIfPresent(9L, (id, row) -> row.plus(1));

    assertThat(check().money()).isEqualTo(1);
    assertThat(check().problems()).anyMatch(problem -> problem.startsWith("account 9 holds 1"));
  }

  @Test
  void moneyOnTheWrongAccountIsFoundAlthoughTheSumsAgree() {
    accounts.computeIfPresent(9L, (id, row) -> row.plus(1));
    accounts.computeIfPresent(10L, (id, row) -> row.plus(-1));

    assertThat(check().money()).isZero();
    assertThat(check().problems())
        .containsExactly(
            "account 9 holds 1, but its transfers make 0",
            "account 10 holds -1, but its transfers make 0");
  }

  @Test
  void halfATransferIsFound() {
    tellers.computeIfPresent(3L, (id, row) -> row.plus(-100));

    assertThat(check().problems())
        .anyMatch(problem -> problem.startsWith("teller 3 holds -30, but its transfers make 70"))
        .anyMatch(problem -> problem.startsWith("the sums differ"));
  }

  @Test
  void aBranchThatMissedATransferIsFound() {
    branches.computeIfPresent(1L, (id, row) -> row.plus(7));

    assertThat(check().problems()).anyMatch(problem -> problem.startsWith("branch 1 holds 7"));
  }

  @Test
  void aTransferThatDiffersFromItsAcknowledgementIsFound() {
    undo(TransferId.of(1, 1, 0));
    apply(TransferId.of(1, 1, 0), new Transfer(7, 12, 1, -999_998, 4));

    assertThat(check().lost()).isEqualTo(1);
    assertThat(check().problems())
        .singleElement()
        .asString()
        .contains("otherwise than it was acknowledged");
  }

  @Test
  void aRowReadTwiceIsFound() {
    var check = new BankCheck(layout, acknowledged, RUNS, THREADS);
    feed(check);
    check.transfer(TransferId.of(0, 0, 0), history.get(TransferId.of(0, 0, 0)));

    assertThat(check.finish().problems())
        .contains("transfer 0 of thread 0 in run 0 is in the history twice");
  }

  @Test
  void aTransferBeyondTheOneUnderWayIsFound() {
    apply(TransferId.of(0, 1, 2), new Transfer(8, 4, 0, 5, 9));

    assertThat(check().problems())
        .containsExactly("transfer 2 of thread 1 in run 0 is in the history, but nobody made it");
  }

  @Test
  void transfersOfUnknownRunsAndThreadsAreFound() {
    apply(TransferId.of(RUNS, 0, 0), new Transfer(8, 4, 0, 5, 9));
    apply(TransferId.of(0, THREADS, 0), new Transfer(8, 4, 0, 5, 9));
    apply(-1, new Transfer(8, 4, 0, 5, 9));

    assertThat(check().problems())
        .hasSize(3)
        .allMatch(problem -> problem.endsWith("but nobody made it"));
  }

  @Test
  void rowsThatNoTransferCanHaveMadeAreFound() {
    apply(TransferId.of(1, 0, 0), new Transfer(8, 4, 1, 5, 9));
    Transfer outside = new Transfer(layout.accounts(), -1, 0, 1_000_000, 9);
    history.put(TransferId.of(0, 1, 1), outside);

    assertThat(check().problems())
        .anyMatch(problem -> problem.contains("is not one that the worker makes"))
        .contains("the history names account 200000, which does not exist")
        .contains("the history names teller -1, which does not exist");
  }

  @Test
  void missingSurplusAndMisplacedRowsAreFound() {
    accounts.remove(17L);
    accounts.put(-4L, new Teller(0, 0, FILLER));
    tellers.put(2L, new Teller(1, 0, FILLER));
    branches.put(2L, new Branch(0, FILLER));

    assertThat(check().problems())
        .contains(
            "account 17 has no row",
            "account -4 does not exist, yet it has a row",
            "teller 2 is in branch 1 instead of 0",
            "branch 2 does not exist, yet it has a row");
  }

  @Test
  void anEmptyHeapIsNotSound() {
    accounts.clear();
    tellers.clear();
    branches.clear();
    history.clear();

    CheckResult result = check();

    assertThat(result.lost()).isEqualTo(4);
    assertThat(result.problems()).hasSize(BankCheck.LISTED + 1).last().asString().contains("more");
  }

  private void acknowledge(long id, Transfer transfer) {
    apply(id, transfer);
    acknowledged.add(id, transfer.account(), transfer.teller(), transfer.delta());
  }

  private void apply(long id, Transfer transfer) {
    history.put(id, transfer);
    move(transfer, transfer.delta());
  }

  private void undo(long id) {
    Transfer transfer = history.remove(id);
    move(transfer, -transfer.delta());
  }

  private void move(Transfer transfer, long delta) {
    accounts.computeIfPresent(transfer.account(), (id, row) -> row.plus(delta));
    tellers.computeIfPresent(transfer.teller(), (id, row) -> row.plus(delta));
    branches.computeIfPresent(transfer.branch(), (id, row) -> row.plus(delta));
  }

  private CheckResult check() {
    var check = new BankCheck(layout, acknowledged, RUNS, THREADS);
    feed(check);
    return check.finish();
  }

  private void feed(BankCheck check) {
    accounts.forEach((id, row) -> check.account(id, row.branch(), row.balance()));
    history.forEach(check::transfer);
    tellers.forEach(check::teller);
    branches.forEach(check::branch);
  }
}
