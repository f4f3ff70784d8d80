package io.everheap.engine.log;

/** Where a writer of the log gets its next segment from. */
interface SegmentSource {
  /**
   * The next segment in use, for parts from {@code startLsn}. Its header is still to be written.
   */
  LogSegment roll(long startLsn);
}
