package io.everheap.cache;

import io.everheap.cache.store.Cause;
import io.everheap.stability.Stable;

/**
 * Why an entry left a cache.
 *
 * @since 0.9
 */
@Stable
public enum RemovalCause {
  /** The program invalidated it. */
  EXPLICIT,

  /** The program put another value under its key. */
  REPLACED,

  /** It was evicted to make room. */
  SIZE,

  /** Its time was over. */
  EXPIRED;

  static RemovalCause of(Cause cause) {
    return switch (cause) {
      case EXPLICIT -> EXPLICIT;
      case REPLACED, RENAMED -> REPLACED;
      case SIZE, DAMAGED -> SIZE;
      case EXPIRED -> EXPIRED;
    };
  }

  /**
   * Tells whether the cache removed the entry by itself.
   *
   * @return {@code true} unless the program did
   */
  public boolean wasEvicted() {
    return this == SIZE || this == EXPIRED;
  }
}
