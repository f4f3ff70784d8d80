package io.everheap.error;

/**
 * Bytes of a journal that are known to have been durable do not validate: something other than a
 * crash changed or removed them; code {@value #CODE}. Nothing was written.
 */
public final class CorruptJournalException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-CORRUPT-JOURNAL";

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
  public CorruptJournalException(String file, long offset, String what) {
    super(
        CODE,
        file
            + " is damaged at byte "
            + offset
            + ": "
            + what
            + "; restore the journal from a backup, or save what is left with salvage");
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
