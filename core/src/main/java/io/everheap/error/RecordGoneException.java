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
    this(
        String.format(
            Locale.ROOT,
            "the journal at %s has no record %d: it was released or cut off; there are %d to below %d",
            location,
            sequence,
            first,
            next),
        first,
        next);
  }

  private RecordGoneException(String message, long first, long next) {
    super(CODE, message);
    this.first = first;
    this.next = next;
  }

  /**
   * Says that a record was cut off after a reader had read it, and others took its place.
   *
   * @param location of the journal
   * @param sequence of the record that was read last
   * @param first sequence of the oldest record that is there
   * @param next sequence that the next record will get
   * @return the exception
   */
  public static RecordGoneException replaced(
      String location, long sequence, long first, long next) {
    return new RecordGoneException(
        String.format(
            Locale.ROOT,
            "record %d of the journal at %s was cut off after this reader had read it, and others may have"
                + " its number now: seek to the record after the last one that was kept; there are %d to below %d",
            sequence,
            location,
            first,
            next),
        first,
        next);
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
