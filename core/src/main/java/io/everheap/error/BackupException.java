package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A backup cannot be made or restored; code {@value #CODE}. A file of a backup is damaged or
 * missing, belongs to another heap, or the heap does not know what changed since the last one.
 * Nothing was changed, except that a restore may have left a directory that it names.
 *
 * @since 0.9
 */
@Stable
public final class BackupException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-BACKUP";

  /**
   * Creates the exception.
   *
   * @param message which backup, what is wrong, and what to do
   */
  public BackupException(String message) {
    super(CODE, message);
  }
}
