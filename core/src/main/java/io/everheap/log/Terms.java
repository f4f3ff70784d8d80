package io.everheap.log;

import io.everheap.error.ReplicationException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The terms of primaries, of which the higher one counts: 0 before any promotion, then the number
 * of promotions in the upper 32 bits and a random number in the lower ones. So two replicas of one
 * primary that are both promoted have different terms, and one of them fences the other.
 */
public final class Terms {
  /** More promotions than anyone makes while one machine is away. */
  private static final int MAX_AHEAD = 1000;

  private Terms() {}

  /**
   * A term for a promotion: higher than a term, and than any other with as many promotions.
   *
   * @throws ReplicationException if there is no higher one
   */
  public static long next(long term) {
    long count = (term >>> Integer.SIZE) + 1;
    if (count > Integer.MAX_VALUE) {
      throw new ReplicationException(
          "Term " + term + " is none that promotions give: no promotion can follow it.");
    }
    long random = Integer.toUnsignedLong(ThreadLocalRandom.current().nextInt());
    return count << Integer.SIZE | random;
  }

  /**
   * Whether promotions can have given a term. It must not be far above one that is known: whoever
   * believes the highest term can never be promoted again, nor be followed by others.
   */
  public static boolean isCredible(long known, long heard) {
    return heard >= 0 && (heard >>> Integer.SIZE) - (known >>> Integer.SIZE) <= MAX_AHEAD;
  }

  /**
   * Throws unless promotions can have given a term.
   *
   * @throws ReplicationException if they cannot
   */
  public static void requireCredible(long known, long heard) {
    if (!isCredible(known, heard)) {
      throw new ReplicationException(
          "A primary says that its term is "
              + heard
              + ", and this replica knows "
              + known
              + ": no promotions give such a term.");
    }
  }
}
