package io.everheap.journal;

/**
 * Whether a record can be stored, and what has to be done first. The usual answers are constants.
 */
sealed interface Room {
  /** What needs nothing from others. */
  enum Known implements Room {
    /** It fits behind the last record. */
    READY,

    /** A segment was begun: ask again. */
    ROLLED
  }

  /**
   * The next segment is not ready, or too small.
   *
   * @param bytes that it must have
   */
  record NoSegment(long bytes) implements Room {}

  /**
   * Too much is not durable yet.
   *
   * @param ticket that must be durable first
   */
  record NotDurable(long ticket) implements Room {}
}
