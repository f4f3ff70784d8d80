package io.everheap.journal;

import java.lang.foreign.MemorySegment;

/** Receives records, one after the other. */
@FunctionalInterface
public interface RecordHandler {
  /**
   * Receives a record.
   *
   * @param sequence of the record
   * @param data the record itself, read-only; valid until this method returns
   * @return whether to continue
   */
  boolean accept(long sequence, MemorySegment data);
}
