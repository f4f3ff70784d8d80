package io.everheap.cli.demo;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares every row of the bank with what was acknowledged and with each other. Feed it all rows,
 * in any order, then {@link #finish}. It demands that
 *
 * <ul>
 *   <li>every acknowledged transfer is in the history exactly once, as it was acknowledged;
 *   <li>a thread has at most one more row, its last: the transfer that was under way at the kill;
 *   <li>every account, teller and branch holds exactly the sum of its history, and so the sums over
 *       accounts, tellers, branches and history are equal (the consistency conditions of TPC-B);
 *   <li>no row is missing, doubled or out of range.
 * </ul>
 *
 * <p>For one thread.
 */
final class BankCheck {
  /** How many problems are listed; the rest is counted. */
  static final int LISTED = 20;

  private final Layout layout;
  private final Acknowledged acknowledged;
  private final int runs;
  private final int threads;
  private final Balances accounts;
  private final Balances tellers;
  private final Balances branches;
  private final BitSet[] seen;
  private final List<String> problems = new ArrayList<>();
  private long unlisted;
  private long transfers;
  private long wrong;
  private long unacknowledged;

  /**
   * Prepares a check.
   *
   * @param runs how many times the worker was started: runs are numbered from 0
   * @param threads how many threads each run had
   */
  BankCheck(Layout layout, Acknowledged acknowledged, int runs, int threads) {
    this.layout = layout;
    this.acknowledged = acknowledged;
    this.runs = runs;
    this.threads = threads;
    accounts = new Balances("account", layout.accounts());
    tellers = new Balances("teller", layout.tellers());
    branches = new Balances("branch", layout.branches());
    seen = new BitSet[runs * threads];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = new BitSet();
    }
  }

  void account(long id, long branch, long balance) {
    accounts.row(id, balance);
    belongs("account", id, branch, layout.branchOfAccount(id));
  }

  void teller(long id, Teller row) {
    tellers.row(id, row.balance());
    belongs("teller", id, row.branch(), layout.branchOfTeller(id));
  }

  void branch(long id, Branch row) {
    branches.row(id, row.balance());
  }

  void transfer(long id, Transfer row) {
    transfers++;
    if (Math.abs(row.delta()) > Layout.MAX_DELTA
        || row.branch() != layout.branchOfTeller(row.teller())) {
      problem(
          String.format(
              Locale.ROOT,
              "%s is not one that the worker makes: %s",
              TransferId.describe(id),
              row));
    }
    accounts.due(row.account(), row.delta());
    tellers.due(row.teller(), row.delta());
    branches.due(row.branch(), row.delta());
    known(id, row);
  }

  private void known(long id, Transfer row) {
    int run = TransferId.run(id);
    int thread = TransferId.thread(id);
    long sequence = TransferId.sequence(id);
    Acknowledged.@Nullable Sequence acks = id < 0 ? null : acknowledged.sequence(run, thread);
    int size = acks == null ? 0 : acks.size();
    if (id < 0 || run >= runs || thread >= threads || sequence > size) {
      problem(
          String.format(
              Locale.ROOT, "%s is in the history, but nobody made it", TransferId.describe(id)));
      return;
    }
    BitSet rows = seen[run * threads + thread];
    if (rows.get((int) sequence)) {
      problem(String.format(Locale.ROOT, "%s is in the history twice", TransferId.describe(id)));
      return;
    }
    rows.set((int) sequence);
    if (acks == null || sequence == size) {
      unacknowledged++;
    } else if (acks.fingerprint((int) sequence) != row.fingerprint()) {
      wrong++;
      problem(
          String.format(
              Locale.ROOT,
              "%s is in the history otherwise than it was acknowledged: %s",
              TransferId.describe(id),
              row));
    }
  }

  private void belongs(String what, long id, long branch, long expected) {
    if (branch != expected) {
      problem(
          String.format(
              Locale.ROOT, "%s %d is in branch %d instead of %d", what, id, branch, expected));
    }
  }

  /** Completes the check, after all rows. */
  CheckResult finish() {
    long missing = 0;
    for (int run = 0; run < runs; run++) {
      for (int thread = 0; thread < threads; thread++) {
        missing += missing(run, thread);
      }
    }
    accounts.compare();
    tellers.compare();
    branches.compare();
    sums();
    if (unlisted > 0) {
      problems.add("and " + unlisted + " more");
    }
    return new CheckResult(
        transfers, missing + wrong, unacknowledged, accounts.held() - accounts.due(), problems);
  }

  private long missing(int run, int thread) {
    Acknowledged.@Nullable Sequence acks = acknowledged.sequence(run, thread);
    if (acks == null) {
      return 0;
    }
    BitSet rows = seen[run * threads + thread];
    long missing = 0;
    for (int i = rows.nextClearBit(0); i < acks.size(); i = rows.nextClearBit(i + 1)) {
      missing++;
      problem(
          String.format(
              Locale.ROOT,
              "%s was acknowledged and is not in the history",
              TransferId.describe(TransferId.of(run, thread, i))));
    }
    return missing;
  }

  private void sums() {
    long due = accounts.due();
    if (accounts.held() != due || tellers.held() != due || branches.held() != due) {
      problem(
          String.format(
              Locale.ROOT,
              "the sums differ: accounts %d, tellers %d, branches %d, history %d",
              accounts.held(),
              tellers.held(),
              branches.held(),
              due));
    }
  }

  private void problem(String text) {
    if (problems.size() < LISTED) {
      problems.add(text);
    } else {
      unlisted++;
    }
  }

  /** The balances in the rows of one table, and those that follow from the history. */
  private final class Balances {
    private final String name;
    private final long[] held;
    private final long[] due;
    private final BitSet present = new BitSet();
    private long dueTotal;

    Balances(String name, long rows) {
      this.name = name;
      held = new long[Math.toIntExact(rows)];
      due = new long[Math.toIntExact(rows)];
    }

    void row(long id, long balance) {
      if (id < 0 || id >= held.length) {
        problem(String.format(Locale.ROOT, "%s %d does not exist, yet it has a row", name, id));
      } else if (present.get((int) id)) {
        problem(String.format(Locale.ROOT, "%s %d has two rows", name, id));
      } else {
        present.set((int) id);
        held[(int) id] = balance;
      }
    }

    void due(long id, long delta) {
      dueTotal += delta;
      if (id < 0 || id >= due.length) {
        problem(
            String.format(Locale.ROOT, "the history names %s %d, which does not exist", name, id));
      } else {
        due[(int) id] += delta;
      }
    }

    void compare() {
      for (int id = 0; id < held.length; id++) {
        if (!present.get(id)) {
          problem(String.format(Locale.ROOT, "%s %d has no row", name, id));
        } else if (held[id] != due[id]) {
          problem(
              String.format(
                  Locale.ROOT,
                  "%s %d holds %d, but its transfers make %d",
                  name,
                  id,
                  held[id],
                  due[id]));
        }
      }
    }

    long held() {
      long sum = 0;
      for (long balance : held) {
        sum += balance;
      }
      return sum;
    }

    long due() {
      return dueTotal;
    }
  }
}
