package io.everheap.cache.table;

/**
 * One word for each slot: what it is used for, how many pins hold it, and how often it was hit.
 *
 * <pre>
 *   31  30 29       27         26         25   24 23       0
 *   +-----+----------+----------+-----------+-----------+
 *   |state| not used | verified | frequency | pin count |
 *   +-----+----------+----------+-----------+-----------+
 * </pre>
 *
 * <p>Any thread may pin at any time, also a slot that has become another entry's or none's: it
 * learns that from the word that {@link #pin} returns or from the key, and unpins. A slot whose
 * entry ended while it was pinned is {@link #RETIRING}; the {@link #unpin} that takes its last pin
 * makes it free, exactly once. All other changes of the state are made under the cache's lock.
 */
public final class Pins {
  /** The slot has no entry. */
  public static final int FREE = 0;

  /** The slot was given out for an entry that is being made. */
  public static final int RESERVED = 1;

  /** The slot has an entry. */
  public static final int LIVE = 2;

  /** The slot's entry ended, and pins hold its block. */
  public static final int RETIRING = 3;

  /** The highest frequency. */
  public static final int MAX_FREQUENCY = 3;

  private static final int STATE_SHIFT = 30;
  private static final int VERIFIED = 1 << 26;
  private static final int FREQUENCY_SHIFT = 24;
  private static final int FREQUENCY = MAX_FREQUENCY << FREQUENCY_SHIFT;
  private static final int COUNT = (1 << FREQUENCY_SHIFT) - 1;
  private static final int MAX_PINS = COUNT / 2;

  private final OffHeapInts words;

  /** Pins for no slot yet. */
  public Pins() {
    this.words = new OffHeapInts();
  }

  /** Makes room for the slots below a number. */
  public void reserve(int slots) {
    words.reserve(slots);
  }

  /** Bytes of memory that the words take. */
  public long bytes() {
    return words.bytes();
  }

  /** The state in a word. */
  public static int state(int word) {
    return word >>> STATE_SHIFT;
  }

  /** The number of pins in a word. */
  public static int count(int word) {
    return word & COUNT;
  }

  /** Whether the entry's checksum was verified, or computed, by this process. */
  public static boolean verified(int word) {
    return (word & VERIFIED) != 0;
  }

  /** The word of a slot. */
  public int word(int slot) {
    return words.getAcquire(slot);
  }

  /**
   * Adds a pin.
   *
   * @return the word before; if its state is not {@link #LIVE}, the caller must unpin at once
   * @throws IllegalStateException if millions of pins hold the slot
   */
  public int pin(int slot) {
    int word = words.getAndAdd(slot, 1);
    if (count(word) >= MAX_PINS) {
      words.getAndAdd(slot, -1);
      throw new IllegalStateException(
          "an entry is pinned more than " + MAX_PINS + " times: close the handles");
    }
    return word;
  }

  /**
   * Takes a pin away.
   *
   * @return whether that made the slot free; the caller must then give its block back
   */
  public boolean unpin(int slot) {
    int word = words.getAndAdd(slot, -1) - 1;
    if (count(word) == COUNT) {
      words.getAndAdd(slot, 1);
      throw new IllegalStateException("an entry is unpinned that is not pinned");
    }
    return count(word) == 0 && state(word) == RETIRING && words.compareAndSet(slot, word, FREE);
  }

  /** Remembers a hit; forgets it if another thread changes the word. */
  public void hit(int slot) {
    int word = words.getAcquire(slot);
    if ((word & FREQUENCY) != FREQUENCY) {
      words.compareAndSet(slot, word, word + (1 << FREQUENCY_SHIFT));
    }
  }

  /** How often the entry was hit, up to {@link #MAX_FREQUENCY}. */
  public int frequency(int slot) {
    return (words.getAcquire(slot) & FREQUENCY) >>> FREQUENCY_SHIFT;
  }

  /** Sets how often the entry counts as hit. */
  public void frequency(int slot, int value) {
    update(slot, FREQUENCY, value << FREQUENCY_SHIFT);
  }

  /** Says that the entry's checksum is right. */
  public void verify(int slot) {
    update(slot, VERIFIED, VERIFIED);
  }

  /** Whether a pin holds the slot. */
  public boolean pinned(int slot) {
    return count(words.getAcquire(slot)) > 0;
  }

  /** A free slot is given out. */
  public void allocate(int slot) {
    update(slot, ~COUNT, RESERVED << STATE_SHIFT);
  }

  /** A slot that was given out, and has no entry yet, is free again. */
  public void abandon(int slot) {
    update(slot, ~COUNT, FREE);
  }

  /** A slot that was given out has an entry. */
  public void publish(int slot, boolean isVerified) {
    update(slot, ~COUNT, LIVE << STATE_SHIFT | (isVerified ? VERIFIED : 0));
  }

  /**
   * The entry of a slot ended.
   *
   * @return whether the slot is free; else the last unpin makes it free
   */
  public boolean retire(int slot) {
    while (true) {
      int word = words.getAcquire(slot);
      int next = count(word) == 0 ? FREE : RETIRING << STATE_SHIFT | count(word);
      if (words.compareAndSet(slot, word, next)) {
        return next == FREE;
      }
    }
  }

  private void update(int slot, int mask, int bits) {
    int word;
    do {
      word = words.getAcquire(slot);
    } while (!words.compareAndSet(slot, word, (word & ~mask) | bits));
  }
}
