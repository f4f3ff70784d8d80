package io.everheap.journal;

/**
 * When to look at the files of a journal that another process appends to, and when to judge what
 * does not validate, which takes longer: ever more seldom while nothing arrives. Used by one thread
 * at a time.
 */
final class LookTimes {
  /** The shortest pause between two looks, in nanoseconds. */
  static final long LOOK = 1_000_000;

  private static final long FIRST_JUDGING = 100_000_000;
  private static final long LAST_JUDGING = 5_000_000_000L;

  /** A look may take this part of the time. */
  private static final int SHARE = 20;

  private long lookedAt;
  private long pause = LOOK;
  private long judgedAt;
  private long judging = FIRST_JUDGING;

  /** Whether a look is due. */
  boolean due() {
    return System.nanoTime() - lookedAt > pause;
  }

  /** Whether a look that begins now should judge. */
  boolean judges(long start) {
    return start - judgedAt > judging;
  }

  /** A look ended. */
  void looked(long start, boolean judged) {
    lookedAt = System.nanoTime();
    pause = Math.max(LOOK, SHARE * (lookedAt - start));
    if (judged) {
      judgedAt = lookedAt;
      judging = Math.min(2 * judging, LAST_JUDGING);
    }
  }

  /** Records arrived, or the journal was opened. */
  void arrived() {
    judging = FIRST_JUDGING;
    judgedAt = System.nanoTime();
  }
}
