package io.everheap.cli;

/** Thrown when a command cannot do what its arguments ask; the message says why. */
public final class RefusedException extends RuntimeException {
  /** With what cannot be done, and why. */
  public RefusedException(String message) {
    super(message);
  }
}
