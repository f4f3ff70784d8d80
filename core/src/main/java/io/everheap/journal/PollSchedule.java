package io.everheap.journal;

/**
 * When to poll the files of a journal that another process appends to, and when to look for damage
 * as well, which takes longer: less and less often while nothing arrives. Used by one thread at a
 * time.
 */
final class PollSchedule {
  /** The shortest pause between two polls, in nanoseconds. */
  static final long POLL = 1_000_000;

  private static final long FIRST_CHECK = 100_000_000;
  private static final long LAST_CHECK = 5_000_000_000L;

  /** Polls take at most one part in so many of the time. */
  private static final int SHARE = 20;

  private long polledAt;
  private long pause = POLL;
  private long checkedAt;
  private long checkPause = FIRST_CHECK;

  /** Whether a poll is due. */
  boolean due() {
    return System.nanoTime() - polledAt > pause;
  }

  /** Whether a poll that begins now should look for damage. */
  boolean checksDamage(long start) {
    return start - checkedAt > checkPause;
  }

  /** A poll ended. */
  void polled(long start, boolean checked) {
    polledAt = System.nanoTime();
    pause = Math.max(POLL, SHARE * (polledAt - start));
    if (checked) {
      checkedAt = polledAt;
      checkPause = Math.min(2 * checkPause, LAST_CHECK);
    }
  }

  /** Records arrived, or the journal was opened. */
  void arrived() {
    checkPause = FIRST_CHECK;
    checkedAt = System.nanoTime();
  }
}
