package io.everheap.error;

import io.everheap.stability.Stable;

/**
 * A primary was asked to commit although a replica was promoted in its place; code {@value #CODE}.
 * Nothing is written to it any more, since the new primary does not have it.
 *
 * @since 0.9
 */
@Stable
public final class FencedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-FENCED";

  /** The term of the new primary. */
  private final long term;

  /**
   * Creates the exception.
   *
   * @param message which heap, by which term, and what to do
   * @param term of the new primary
   */
  public FencedException(String message, long term) {
    super(CODE, message);
    this.term = term;
  }

  /** The term of the new primary. */
  public long term() {
    return term;
  }
}
