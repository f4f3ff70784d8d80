package io.everheap.benchmarks.harness;

/**
 * Makes keys that look random and are all different: the finalizer of MurmurHash3 is a bijection of
 * 64-bit numbers.
 */
public final class Scramble {
  private Scramble() {}

  /**
   * Returns the n-th key.
   *
   * @param n any number
   * @return another number; different for different n
   */
  public static long key(long n) {
    long h = n + 0x9e3779b97f4a7c15L;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }
}
