package io.everheap.cli.demo;

/**
 * A branch of the bank.
 *
 * @param balance the sum of all transfers its tellers made
 * @param filler padding of the row to about 100 bytes, as TPC-B requires
 */
record Branch(long balance, String filler) {
  Branch plus(long delta) {
    return new Branch(balance + delta, filler);
  }
}
