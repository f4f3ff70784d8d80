package io.everheap.cli;

/** Thrown when a command cannot do what its arguments ask; the message says why. */
final class RefusedException extends RuntimeException {
  RefusedException(String message) {
    super(message);
  }
}
