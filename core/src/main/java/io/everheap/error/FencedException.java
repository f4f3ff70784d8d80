package io.everheap.error;

/**
 * A primary was asked to commit although a replica was promoted in its place; code {@value #CODE}.
 * Nothing is written to it any more, since the new primary does not have it.
 */
public final class FencedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-FENCED";

  /**
   * Creates the exception.
   *
   * @param message which heap, by which term, and what to do
   */
  public FencedException(String message) {
    super(CODE, message);
  }
}
