package io.everheap.cli.demo;

/**
 * A teller of the bank.
 *
 * @param branch the branch the teller works in
 * @param balance the sum of all transfers the teller made
 * @param filler padding of the row to about 100 bytes, as TPC-B requires
 */
record Teller(long branch, long balance, String filler) {
  Teller plus(long delta) {
    return new Teller(branch, balance + delta, filler);
  }
}
