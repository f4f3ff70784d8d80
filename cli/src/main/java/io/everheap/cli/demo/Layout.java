package io.everheap.cli.demo;

import java.util.random.RandomGenerator;

/**
 * The size of the bank and the relations of its rows, as TPC-B specifies: a branch has 10 tellers
 * and 100,000 accounts. Rows are numbered from 0, branch by branch.
 *
 * @param scale the number of branches
 */
record Layout(int scale) {
  static final long TELLERS_PER_BRANCH = 10;
  static final long ACCOUNTS_PER_BRANCH = 100_000;
  static final long MAX_DELTA = 999_999;
  static final int MAX_SCALE = 1_000;

  /** In percent: how often the account belongs to the teller's own branch. */
  private static final int AT_HOME = 85;

  long branches() {
    return scale;
  }

  long tellers() {
    return scale * TELLERS_PER_BRANCH;
  }

  long accounts() {
    return scale * ACCOUNTS_PER_BRANCH;
  }

  long branchOfTeller(long teller) {
    return teller / TELLERS_PER_BRANCH;
  }

  long branchOfAccount(long account) {
    return account / ACCOUNTS_PER_BRANCH;
  }

  /** Draws a transfer with the probabilities of TPC-B; with one branch every account is at home. */
  Transfer draw(RandomGenerator random, long time) {
    long teller = random.nextLong(tellers());
    long home = branchOfTeller(teller);
    long branch = home;
    if (scale > 1 && random.nextInt(100) >= AT_HOME) {
      branch = (home + 1 + random.nextLong(scale - 1)) % scale;
    }
    long account = branch * ACCOUNTS_PER_BRANCH + random.nextLong(ACCOUNTS_PER_BRANCH);
    return new Transfer(account, teller, home, random.nextLong(-MAX_DELTA, MAX_DELTA + 1), time);
  }
}
