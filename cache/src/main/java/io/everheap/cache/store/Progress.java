package io.everheap.cache.store;

/**
 * The sequences of a cache's entries, and how many changes were made.
 *
 * <pre>
 *   field      mode      guard
 *   validFrom  volatile  written under the cache's lock
 *   sequence   plain     the cache's lock
 *   changes    plain     the cache's lock
 * </pre>
 */
final class Progress {
  private final Superblocks superblocks;
  private final long recovered;
  private volatile long validFrom;
  private long sequence;
  private long changes = 1; // what a killed process left is to be synced

  Progress(Superblocks superblocks, Epoch epoch) {
    this.superblocks = superblocks;
    this.recovered = epoch.recovered();
    this.sequence = epoch.sequence();
    this.validFrom = superblocks.state().validFrom();
  }

  /** Gives out a sequence, larger than all before. */
  long next() {
    changes++;
    if (sequence >= superblocks.state().reserved()) {
      superblocks.update(state -> state.reserved(sequence + Epoch.RESERVE));
    }
    return ++sequence;
  }

  /** The largest sequence that was given out. */
  long sequence() {
    return sequence;
  }

  /** Whether an entry with a sequence was made by an earlier opening. */
  boolean isEarlier(long its) {
    return its <= recovered;
  }

  /** Whether earlier openings may have made entries. */
  boolean hasEarlier() {
    return recovered > 0;
  }

  /** The first sequence that no invalidation of all entries covers; any thread. */
  long validFrom() {
    return validFrom;
  }

  /** All entries with smaller sequences are invalidated. */
  void validFrom(long first) {
    validFrom = first;
  }

  /** Something was stored that a sync makes durable. */
  void changed() {
    changes++;
  }

  /** How often that happened. */
  long changes() {
    return changes;
  }
}
