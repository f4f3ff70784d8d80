package io.everheap.error;

/**
 * The heap would have to grow beyond its size limit; code {@value #CODE}.
 *
 * <p>The transaction that asked for the space can be rolled back or go on without it; everything
 * committed is unharmed. Free blocks and commit, or reopen the heap with a larger limit.
 */
public final class HeapFullException extends EverheapException {
  /** The stable code of this exception. */
  public static final String CODE = "EH-HEAP-FULL";

  private final long limit;

  /**
   * Creates the exception.
   *
   * @param limit the size the heap may have, in bytes
   * @param needed the size the heap would need to have, in bytes
   * @param setting the name of the setting that raises the limit
   */
  public HeapFullException(long limit, long needed, String setting) {
    super(
        CODE,
        "The heap is full: it would need "
            + needed
            + " bytes but is limited to "
            + limit
            + " bytes. Free blocks, or reopen it with a larger "
            + setting
            + ".");
    this.limit = limit;
  }

  /**
   * Returns the size that the heap may have.
   *
   * @return the limit in bytes
   */
  public long limit() {
    return limit;
  }
}
