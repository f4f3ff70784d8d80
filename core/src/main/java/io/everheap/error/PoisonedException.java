package io.everheap.error;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a transaction is unknown, because the medium failed while its record was written;
 * code {@value #CODE}. The heap can no longer be used until it is opened again; then each
 * transaction is there as a whole or not at all, and none that was reported durable is missing.
 */
public final class PoisonedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-POISONED";

  private static final long serialVersionUID = 1L;

  /**
   * Says which heap failed, and from what.
   *
   * @param location of the heap
   * @param cause what failed
   */
  public PoisonedException(String location, @Nullable Throwable cause) {
    super(
        CODE,
        "the heap at "
            + location
            + " stopped after a failure"
            + (cause == null ? "" : " (" + cause.getMessage() + ")")
            + "; outcome unknown: reopen the heap",
        cause);
  }
}
