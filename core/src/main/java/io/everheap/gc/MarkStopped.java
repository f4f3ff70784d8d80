package io.everheap.gc;

/**
 * Ends a collection early. It is no exception because what checks structures takes exceptions for
 * damage.
 */
final class MarkStopped extends Error {
  private static final long serialVersionUID = 1L;

  MarkStopped() {
    super("the collection is stopped", null, false, false);
  }
}
