package io.everheap.cache;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;

/**
 * Is told of entries that left a cache.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 * @since 0.9
 */
@FunctionalInterface
@Stable
public interface RemovalListener<K, V> {
  /**
   * An entry left the cache. Called by the cache's executor, after the change; what this throws is
   * logged.
   *
   * @param key its key
   * @param value its value
   * @param cause why it left
   */
  void onRemoval(K key, @Nullable V value, RemovalCause cause);
}
