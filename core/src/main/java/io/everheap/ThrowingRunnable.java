package io.everheap;

import io.everheap.stability.Stable;

/**
 * A body without a result.
 *
 * @param <X> the checked exception that it may throw
 * @since 0.9
 */
@FunctionalInterface
@Stable
public interface ThrowingRunnable<X extends Exception> {
  /**
   * Runs the body.
   *
   * @throws X when it fails
   */
  void run() throws X;
}
