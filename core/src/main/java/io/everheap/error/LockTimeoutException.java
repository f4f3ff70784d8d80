package io.everheap.error;

import io.everheap.stability.Stable;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * A transaction waited longer for the running one than {@code HeapBuilder.lockTimeout} allows, or
 * an append to a journal for a claim longer than {@code JournalBuilder.lockTimeout}; code {@value
 * #CODE}. Nothing was changed.
 *
 * @since 0.9
 */
@Stable
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
    this(
        "the writer lock was not free within "
            + seconds(nanos)
            + ": a transaction of "
            + holder
            + " still runs; keep bodies short, never wait inside one for a thread that writes, or"
            + " raise HeapBuilder.lockTimeout");
  }

  private LockTimeoutException(String message) {
    super(CODE, message);
  }

  /**
   * Says which thread keeps others from appending to a journal.
   *
   * @param location of the journal
   * @param holder the thread with the claim, or null if another append or change is under way
   * @param nanos that this thread waited
   * @return the exception
   */
  public static LockTimeoutException ofJournal(
      String location, @Nullable Thread holder, long nanos) {
    return new LockTimeoutException(
        "the journal at "
            + location
            + " could not be appended to within "
            + seconds(nanos)
            + ": "
            + (holder == null
                ? "another append is under way, and its medium may not answer"
                : holder
                    + (holder.isAlive() ? " holds" : " has ended with")
                    + " a claim that was neither committed nor aborted; close claims with try, fill"
                    + " them quickly, or raise JournalBuilder.lockTimeout"));
  }

  private static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString() + " s";
  }
}
