package io.everheap.cache;

import io.everheap.cache.policy.Lru;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.policy.S3Fifo;
import io.everheap.cache.policy.TinyLfu;

/** Which entry makes room for the next one. */
public enum EvictionPolicy {
  /**
   * Three queues in the order of insertion; the default. Never much worse than {@link #LRU}, often
   * better, and a hit changes two bits. Weak only where the program reads a range larger than the
   * cache in a loop.
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
