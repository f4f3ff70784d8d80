package io.everheap.error;

/**
 * The heap has a format that this version of the library does not know; code {@value #CODE}. It was
 * not changed.
 */
public final class FormatVersionException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-FORMAT";

  /**
   * Says both versions.
   *
   * @param location of the heap
   * @param found version of the format on the medium
   * @param known version that this library reads and writes
   */
  public FormatVersionException(String location, int found, int known) {
    super(
        CODE,
        location
            + " has format version "
            + found
            + ", this library knows version "
            + known
            + (found > known ? "; use a newer Everheap" : "; migrate it with an older Everheap"));
  }
}
