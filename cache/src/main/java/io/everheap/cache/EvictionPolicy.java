package io.everheap.cache;

import io.everheap.cache.policy.Lru;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.policy.S3Fifo;
import io.everheap.cache.policy.TinyLfu;
import io.everheap.stability.Stable;

/**
 * Which entry makes room for the next one.
 *
 * @since 0.9
 */
@Stable
public enum EvictionPolicy {
  /**
   * S3-FIFO, the default: two queues in the order of insertion, and the memory of what left them. A
   * hit changes two bits. Better than {@link #LRU} but where keys are used again soon and then
   * never, where it is a few points below.
   */
  S3_FIFO,

  /**
   * Adaptive W-TinyLFU: recency and frequency, weighed by what gave hits lately. For loops, scans
   * and databases.
   */
  TINY_LFU,

  /** The least recently used one. */
  LRU;

  Policy make(Policy.Entries entries, long granules) {
    return switch (this) {
      case S3_FIFO -> new S3Fifo(entries, granules);
      case TINY_LFU -> new TinyLfu(entries, granules);
      case LRU -> new Lru(entries);
    };
  }
}
