package io.everheap.cache;

import io.everheap.stability.Stable;

/**
 * Is told of blocks that left a cache.
 *
 * @since 0.9
 */
@FunctionalInterface
@Stable
public interface BlockRemovalListener {
  /**
   * A block left the cache. Called in the thread that made it leave, after the change; what this
   * throws is logged.
   *
   * @param key a copy
   * @param value a copy
   * @param cause why
   */
  void removed(byte[] key, byte[] value, RemovalCause cause);
}
