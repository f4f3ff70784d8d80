package io.everheap.error;

import java.util.Locale;

/**
 * A record of a journal was released or cut off; code {@value #CODE}. The journal has all records
 * from {@link #first} on, below {@link #next}.
 */
public final class RecordGoneException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-RECORD-GONE";

  private static final long serialVersionUID = 1L;

  private final long first;
  private final long next;

  /**
   * Says which record, and what is there.
   *
   * @param location of the journal
   * @param sequence of the record that was asked for
   * @param first sequence of the oldest record that is there
   * @param next sequence that the next record will get
   */
  public RecordGoneException(String location, long sequence, long first, long next) {
    super(
        CODE,
        String.format(
            Locale.ROOT,
            "the journal at %s has no record %d: it was released or cut off; there are %d to below %d",
            location,
            sequence,
            first,
            next));
    this.first = first;
    this.next = next;
  }

  /**
   * Returns the oldest record that is there.
   *
   * @return its sequence
   */
  public long first() {
    return first;
  }

  /**
   * Returns where the journal ends.
   *
   * @return the sequence behind the newest record
   */
  public long next() {
    return next;
  }
}
