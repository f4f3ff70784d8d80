package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Scramble;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How often each of a number of keys is asked for. The ranks 0, 1, ... are given to keys by {@link
 * Scramble}, a bijection: no two ranks share a key, as they would by a hash modulo their number.
 */
final class Distribution {
  private final int items;
  private final double[] sums; // of the weights of the first ranks; empty if all weigh the same

  private Distribution(int items, double[] sums) {
    this.items = items;
    this.sums = sums;
  }

  static Distribution uniform(int items) {
    return new Distribution(items, new double[0]);
  }

  /** The n-th rank is asked for in proportion to 1 / n to the power of the exponent. */
  static Distribution zipf(int items, double exponent) {
    double[] sums = new double[items];
    double sum = 0;
    for (int i = 0; i < items; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    return new Distribution(items, sums);
  }

  int rank(SplittableRandom random) {
    if (sums.length == 0) {
      return random.nextInt(items);
    }
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[items - 1]);
    return Math.min(items - 1, found >= 0 ? found : -found - 1);
  }

  long key(SplittableRandom random) {
    return key(rank(random));
  }

  static long key(long rank) {
    return Scramble.key(rank);
  }
}
