package io.everheap.engine.log;

import java.lang.foreign.MemorySegment;

/**
 * Takes the entries of a log in their order. Addresses are multiples of 8 and may lie anywhere in
 * the address space: the sink checks them against the home image.
 */
public interface EntrySink {
  /**
   * The entries that follow are those of a part.
   *
   * @param file name relative to the heap
   * @param bytes of the file
   * @param key of the epoch
   * @param offset where the part starts in the file
   * @param lsn where it starts in the log
   * @param whole whether it is a transaction by itself
   */
  default void part(String file, long bytes, long key, long offset, long lsn, boolean whole) {}

  /** Takes entries and does nothing with them. */
  EntrySink NOTHING =
      new EntrySink() {
        @Override
        public void run(long address, MemorySegment source, long offset, int words) {}

        @Override
        public void fill(long address, long stride, long times, long value) {}
      };

  /**
   * Words to be stored one after the other.
   *
   * @param address of the first one in the home image
   * @param source that holds the words, valid during this call
   * @param offset of the first word in the source
   * @param words how many
   */
  void run(long address, MemorySegment source, long offset, int words);

  /**
   * One value to be stored at several addresses.
   *
   * @param address of the first store in the home image
   * @param stride bytes between two stores, a multiple of 8
   * @param times how many stores, at least 1
   * @param value to be stored
   */
  void fill(long address, long stride, long times, long value);

  /**
   * The entries since the last call are those of a complete transaction.
   *
   * @param lsn after it
   */
  default void committed(long lsn) {}
}
