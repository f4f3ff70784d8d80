package io.everheap;

/**
 * A body without a result.
 *
 * @param <X> the checked exception that it may throw
 */
@FunctionalInterface
public interface ThrowingRunnable<X extends Exception> {
  /**
   * Runs the body.
   *
   * @throws X when it fails
   */
  void run() throws X;
}
