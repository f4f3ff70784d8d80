package io.everheap;

import org.jspecify.annotations.Nullable;

/**
 * A body with a result.
 *
 * @param <T> the type of the result
 * @param <X> the checked exception that it may throw
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
