package io.everheap.journal;

import io.everheap.memory.Medium;
import java.util.function.LongBinaryOperator;

/**
 * How a journal is written.
 *
 * @param segmentSize of new segments in bytes
 * @param intervalNanos between syncs on files, or 0 to make each append durable before it returns
 * @param ahead how many segments to keep ready
 * @param timestamps whether records have a time
 * @param retainBytes release the oldest segments when there are more bytes, or 0 for never
 * @param retainMillis release segments whose records are older, or 0 for never
 * @param lockTimeoutNanos how long an append waits for the claim of another thread
 * @param background whether threads work for the journal
 * @param clock the time of a record in milliseconds since 1970, from its sequence and the time of
 *     the one before
 */
record JournalOptions(
    int segmentSize,
    long intervalNanos,
    int ahead,
    boolean timestamps,
    long retainBytes,
    long retainMillis,
    long lockTimeoutNanos,
    boolean background,
    LongBinaryOperator clock) {

  /** The system clock; when it goes back, a record gets the time of the one before. */
  static final LongBinaryOperator CLOCK =
      (sequence, last) -> Math.max(last, System.currentTimeMillis());

  /** How records reach the segments of a medium. */
  Mode mode(Medium medium) {
    if (medium.byteAddressable()) {
      return Mode.DIRECT;
    }
    if (medium.encrypted()) {
      return intervalNanos == 0 ? Mode.SEALED : Mode.SEALED_LATER;
    }
    return intervalNanos == 0 ? Mode.BUFFERED : Mode.MAPPED;
  }
}
