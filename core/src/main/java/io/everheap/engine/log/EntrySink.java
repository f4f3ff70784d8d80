package io.everheap.engine.log;

import java.lang.foreign.MemorySegment;

/**
 * Receives the entries of a log in their order, in one thread. Addresses are multiples of 8 and may
 * be anywhere in the address space: the sink checks them against the home image.
 */
public interface EntrySink {
  /**
   * A part begins, to which the entries that follow belong.
   *
   * @param file name relative to the heap
   * @param bytes size of the file
   * @param key of the epoch; see {@link io.everheap.log.LogSeed}
   * @param offset of the part in the file
   * @param lsn of the part
   * @param whole whether the part is a complete transaction
   */
  default void part(String file, long bytes, long key, long offset, long lsn, boolean whole) {}

  /** Ignores all entries. */
  EntrySink NOTHING =
      new EntrySink() {
        @Override
        public void run(long address, MemorySegment source, long offset, int words) {}

        @Override
        public void fill(long address, long stride, long times, long value) {}
      };

  /**
   * A run of consecutive words.
   *
   * @param address of the first word in the home image
   * @param source of the words, valid during this call
   * @param offset of the first word in the source
   * @param words number of words
   */
  void run(long address, MemorySegment source, long offset, int words);

  /**
   * A fill: one value at several addresses.
   *
   * @param address of the first word in the home image
   * @param stride distance of two words in bytes, a multiple of 8
   * @param times number of words, at least 1
   * @param value to store
   */
  void fill(long address, long stride, long times, long value);

  /**
   * The entries since the last call are a complete transaction.
   *
   * @param lsn behind it
   */
  default void committed(long lsn) {}
}
