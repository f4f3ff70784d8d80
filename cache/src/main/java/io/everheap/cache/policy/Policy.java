package io.everheap.cache.policy;

/**
 * Decides which entry makes room. Entries are named by their slots. All methods but {@link
 * #accessed} are called under the cache's lock.
 */
public interface Policy {
  /** What a policy may ask of entries. */
  interface Entries {
    /** The hash of the key. */
    long hash(int slot);

    /** The granules that the entry takes. */
    int weight(int slot);

    /** Whether a pin holds the entry, so that evicting it would make no room. */
    boolean pinned(int slot);

    /** How often it was hit since this was set, up to 3. */
    int frequency(int slot);

    /** Sets how often it counts as hit. */
    void frequency(int slot, int value);

    /** Counts a hit; any thread. */
    void hit(int slot);
  }

  /** Bytes of memory that its lists and what it remembers take. */
  long bytes();

  /** An entry was inserted. */
  void added(int slot);

  /** An entry of an earlier opening was found; in no order. */
  void restored(int slot);

  /** All entries of earlier openings were found: from the oldest to the newest. */
  void restored(int[] oldestFirst);

  /** An entry was hit. Any thread, without a lock; may be called for an entry that ended. */
  void accessed(int slot);

  /** An entry that is listed ended, or is about to be evicted. */
  void removed(int slot, boolean evicted);

  /**
   * The entry that should be evicted next; it stays listed until {@link #removed}.
   *
   * @return its slot; -1 if there is none that is not pinned
   */
  int victim();
}
