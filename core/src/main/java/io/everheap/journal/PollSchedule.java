package io.everheap.journal;

/**
 * When to poll the files of a journal that another process appends to, and when to look for damage
 * as well, which takes longer: less and less often while nothing arrives. Used by one thread at a
 * time.
 */
final class PollSchedule {
  /** The shortest pause between two polls, in nanoseconds. */
  static final long POLL = 1_000_000;

  private static final long FIRST_JUDGING = 100_000_000;
  private static final long LAST_JUDGING = 5_000_000_000L;

  /** Polls take at most one part in so many of the time. */
  private static final int SHARE = 20;

  private long polledAt;
  private long pause = POLL;
  private long judgedAt;
  private long judging = FIRST_JUDGING;

  /** Whether a poll is due. */
  boolean due() {
    return System.nanoTime() - polledAt > pause;
  }

  /** Whether a poll that begins now should look for damage. */
  boolean judges(long start) {
    return start - judgedAt > judging;
  }

  /** A poll ended. */
  void polled(long start, boolean judged) {
    polledAt = System.nanoTime();
    pause = Math.max(POLL, SHARE * (polledAt - start));
    if (judged) {
      judgedAt = polledAt;
      judging = Math.min(2 * judging, LAST_JUDGING);
    }
  }

  /** Records arrived, or the journal was opened. */
  void arrived() {
    judging = FIRST_JUDGING;
    judgedAt = System.nanoTime();
  }
}
