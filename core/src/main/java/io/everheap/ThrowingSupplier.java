package io.everheap;

import org.jspecify.annotations.Nullable;

/**
 * A body with a result.
 *
 * @param <T> the result
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface ThrowingSupplier<T extends @Nullable Object, X extends Exception> {
  /**
   * Runs the body.
   *
   * @throws X when it fails
   */
  T get() throws X;
}
