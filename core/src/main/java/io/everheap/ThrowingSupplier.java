package io.everheap;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * A body with a result.
 *
 * @param <T> the type of the result
 * @param <X> the checked exception that it may throw
 * @since 0.9
 */
@FunctionalInterface
@Stable
public interface ThrowingSupplier<T extends @Nullable Object, X extends Exception> {
  /**
   * Runs the body.
   *
   * @throws X when it fails
   */
  T get() throws X;
}
