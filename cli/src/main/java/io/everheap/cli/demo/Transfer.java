package io.everheap.cli.demo;

/**
 * One row of the history: what a transfer did.
 *
 * @param account the account whose balance changed
 * @param teller the teller who made the transfer
 * @param branch the teller's branch
 * @param delta the amount, negative for a withdrawal
 * @param time when, in milliseconds since 1970
 */
record Transfer(long account, long teller, long branch, long delta, long time) {
  /** A hash of the acknowledged data of the transfer; equal transfers have equal ones. */
  long fingerprint() {
    return fingerprint(account, teller, delta);
  }

  static long fingerprint(long account, long teller, long delta) {
    return mix(mix(mix(account) + teller) + delta);
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood, 2014). */
  private static long mix(long z) {
    z += 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
