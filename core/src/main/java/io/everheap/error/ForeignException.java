package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A file or directory is not what this release of Everheap can open: something else, code {@value
 * #CODE}, or of a format that this release does not know, code {@value #FORMAT_CODE}. It was not
 * changed.
 *
 * @since 0.9
 */
@Stable
public final class ForeignException extends EverheapException {
  /** The code for a file or directory that is something else. */
  public static final String CODE = "EH-FOREIGN";

  /** The code for a format of another release. */
  public static final String FORMAT_CODE = "EH-FORMAT";

  private static final long serialVersionUID = 1L;

  private ForeignException(String code, String message) {
    super(code, message);
  }

  /**
   * Says what was found in the place of a heap.
   *
   * @param location the file or directory
   * @param found what is there instead
   * @return the exception
   */
  public static ForeignException heap(String location, String found) {
    return of(location, "an Everheap heap", found);
  }

  /**
   * Says what was found where something else should be.
   *
   * @param location the file or directory
   * @param wanted what should be there
   * @param found what is there instead
   * @return the exception
   */
  public static ForeignException of(String location, String wanted, String found) {
    return new ForeignException(CODE, location + " is not " + wanted + ": " + found);
  }

  /**
   * Says which format was found, and which one is known.
   *
   * @param location of the files
   * @param found version of their format
   * @param known version that this release reads and writes
   * @return the exception
   */
  public static ForeignException version(String location, int found, int known) {
    return new ForeignException(
        FORMAT_CODE,
        location
            + " has format version "
            + found
            + ", this library knows version "
            + known
            + (found > known ? "; use a newer Everheap" : "; migrate it with an older Everheap"));
  }
}
