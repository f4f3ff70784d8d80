package io.everheap.cli.demo;

/**
 * An account of the bank.
 *
 * @param branch the branch that keeps it
 * @param balance what it holds
 * @param filler what makes the row about 100 bytes, as TPC-B asks
 */
record Account(long branch, long balance, String filler) {
  Account plus(long delta) {
    return new Account(branch, balance + delta, filler);
  }
}
