package io.everheap.error;

/**
 * A part of the log that is known to have been durable does not validate: something other than a
 * crash changed or removed it; code {@value #CODE}. Nothing was written.
 */
public final class CorruptLogException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-CORRUPT-LOG";

  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * Says where the damage is.
   *
   * @param file the damaged file
   * @param offset of the damage in it, in bytes
   * @param what was found there, or is missing
   */
  public CorruptLogException(String file, long offset, String what) {
    super(
        CODE,
        file
            + " is damaged at byte "
            + offset
            + ": "
            + what
            + "; restore the heap from a backup, or save what is left with salvage");
    this.file = file;
    this.offset = offset;
  }

  /**
   * Returns the damaged file.
   *
   * @return its path
   */
  public String file() {
    return file;
  }

  /**
   * Returns where in the file the damage starts.
   *
   * @return an offset in bytes
   */
  public long offset() {
    return offset;
  }
}
