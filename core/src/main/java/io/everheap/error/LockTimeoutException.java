package io.everheap.error;

import java.math.BigDecimal;

/**
 * A transaction waited longer for the running one than {@code HeapBuilder.lockTimeout} allows; code
 * {@value #CODE}. Nothing was changed.
 */
public final class LockTimeoutException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-TX-TIMEOUT";

  /**
   * Says which thread holds the lock.
   *
   * @param holder the thread whose transaction runs, as far as known
   * @param nanos that this thread waited
   */
  public LockTimeoutException(String holder, long nanos) {
    super(
        CODE,
        "the writer lock was not free within "
            + BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString()
            + " s: a transaction of "
            + holder
            + " still runs; keep bodies short, never wait inside one for a thread that writes, or"
            + " raise HeapBuilder.lockTimeout");
  }
}
