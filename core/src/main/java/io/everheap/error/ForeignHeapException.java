package io.everheap.error;

/** What stands where a heap should be is not one. It was not changed. */
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
    super(CODE, location + " is not an Everheap heap: " + found);
  }
}
