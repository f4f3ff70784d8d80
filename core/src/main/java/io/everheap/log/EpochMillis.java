package io.everheap.log;

import java.time.Instant;

/** Moments as milliseconds since 1970. Stateless. */
public final class EpochMillis {
  private EpochMillis() {}

  /**
   * Converts any moment: {@link Instant#MAX} and others beyond the range of a {@code long} become
   * its smallest or largest value.
   *
   * @return milliseconds since 1970, rounded down
   */
  public static long of(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
