package io.everheap.engine.tx;

/**
 * Ends a read that met a concurrent commit, so that the loop around it starts again. Code that
 * catches exceptions of callbacks passes it on.
 */
@SuppressWarnings("serial") // never serialized: no instance leaves the library
public abstract class ReadAgain extends RuntimeException {
  /** An exception without a stack trace. */
  protected ReadAgain(String message) {
    super(message, null, false, false);
  }
}
