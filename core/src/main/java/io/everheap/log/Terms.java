package io.everheap.log;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The terms of primaries, of which the higher one counts: 0 before any promotion, then the number
 * of promotions in the upper 32 bits and a random number in the lower ones. So two replicas of one
 * primary that are both promoted have different terms, and one of them fences the other.
 */
public final class Terms {
  private Terms() {}

  /** A term for a promotion: higher than a term, and than any other with as many promotions. */
  public static long next(long term) {
    long random = Integer.toUnsignedLong(ThreadLocalRandom.current().nextInt());
    return ((term >>> Integer.SIZE) + 1) << Integer.SIZE | random;
  }
}
