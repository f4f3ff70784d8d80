package io.everheap.error;

import io.everheap.stability.Stable;
import java.util.Locale;

/**
 * Something that a program refers to no longer exists. Nothing was changed, and nothing was read
 * from what may be in its place now. Drop the reference, or continue where the message says.
 *
 * <ul>
 *   <li>{@value #CODE}: a reference leads to no block. The block was freed, its allocation was
 *       rolled back, or the reference never was one.
 *   <li>{@value #RECORD_CODE}: a record of a journal was released or cut off. The journal has all
 *       records from {@link #first} on, below {@link #next}.
 * </ul>
 *
 * @since 0.9
 */
@Stable
public final class GoneException extends EverheapException {
  /** The code for blocks of a heap. */
  public static final String CODE = "EH-STALE";

  /** The code for records of a journal. */
  public static final String RECORD_CODE = "EH-RECORD-GONE";

  private static final long serialVersionUID = 1L;

  private final long first;
  private final long next;

  private GoneException(String code, String message, long first, long next) {
    super(code, message);
    this.first = first;
    this.next = next;
  }

  /**
   * Creates the exception for a reference.
   *
   * @param message which reference, and what was found at its address
   * @return the exception
   */
  public static GoneException reference(String message) {
    return new GoneException(CODE, message, -1, -1);
  }

  /**
   * Says which record is gone, and which ones are there.
   *
   * @param location of the journal
   * @param sequence of the record that was asked for
   * @param first sequence of the oldest record that is there
   * @param next sequence that the next record will get
   * @return the exception
   */
  public static GoneException record(String location, long sequence, long first, long next) {
    return new GoneException(
        RECORD_CODE,
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

  /**
   * Says that a record was cut off after a reader had read it, and others took its place.
   *
   * @param location of the journal
   * @param sequence of the record that was read last
   * @param first sequence of the oldest record that is there
   * @param next sequence that the next record will get
   * @return the exception
   */
  public static GoneException replaced(String location, long sequence, long first, long next) {
    return new GoneException(
        RECORD_CODE,
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
   * Returns the oldest record of the journal.
   *
   * @return its sequence; -1 if no journal is concerned
   */
  public long first() {
    return first;
  }

  /**
   * Returns where the journal ends.
   *
   * @return the sequence that its next record will get; -1 if no journal is concerned
   */
  public long next() {
    return next;
  }
}
