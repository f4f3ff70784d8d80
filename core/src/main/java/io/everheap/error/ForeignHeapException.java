package io.everheap.error;

/**
 * A file or directory is not the heap or journal that it should be; code {@value #CODE}. It was not
 * changed.
 */
public final class ForeignHeapException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-FOREIGN";

  /**
   * Says what was found.
   *
   * @param location the file or directory
   * @param found what is there instead
   */
  public ForeignHeapException(String location, String found) {
    this(location, "an Everheap heap", found);
  }

  /**
   * Says what was found where something else should be.
   *
   * @param location the file or directory
   * @param wanted what should be there
   * @param found what is there instead
   */
  public ForeignHeapException(String location, String wanted, String found) {
    super(CODE, location + " is not " + wanted + ": " + found);
  }
}
