package io.everheap.store;

/** Receives the progress of {@link ShardedStore#reshard(int, ReshardProgress)}. */
@FunctionalInterface
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
