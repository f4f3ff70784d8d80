package io.everheap.journal;

import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;

/**
 * Receives records, one after the other.
 *
 * @since 0.9
 */
@FunctionalInterface
@Stable
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
