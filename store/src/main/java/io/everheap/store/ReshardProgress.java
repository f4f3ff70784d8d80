package io.everheap.store;

import io.everheap.stability.Stable;

/**
 * Receives the progress of {@link ShardedStore#reshard(int, ReshardProgress)}.
 *
 * @since 0.9
 */
@FunctionalInterface
@Stable
public interface ReshardProgress {
  /** Does nothing. */
  ReshardProgress NONE = (done, total) -> {};

  /**
   * Called by the thread that moves the keys.
   *
   * @param done entries that were looked at
   * @param total entries when it began
   */
  void update(long done, long total);
}
