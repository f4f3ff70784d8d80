package io.everheap.benchmarks.cache;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/** A cache that is measured: values of bytes under numbers. Any thread may use it. */
public interface TestedCache extends Closeable {
  /** What {@link #read} returns if there is no value; no value has this sum. */
  long MISS = Long.MIN_VALUE;

  /**
   * Looks a value up and reads it where it is: a word of each of its cache lines.
   *
   * @param key the key
   * @return the {@linkplain Words#sum sum} of those words, or {@link #MISS}
   */
  default long read(long key) {
    byte[] value = copy(key);
    return value == null ? MISS : Words.sum(value);
  }

  /**
   * Looks a value up as an array: one of its own, or the cached one if that is in the Java heap.
   *
   * @param key the key
   * @return the value, or {@code null} if there is none
   */
  byte @Nullable [] copy(long key);

  /**
   * Puts a value.
   *
   * @param key the key
   * @param value the value, which the cache may keep
   */
  void put(long key, byte[] value);

  /** Writes what was put to where it is kept, as far as the cache can be asked to. */
  default void settle() {}

  /**
   * Tells whether the entries of an earlier process are all known.
   *
   * @return whether they are, or there cannot be any
   */
  default boolean isReady() {
    return true;
  }

  /**
   * Returns the memory that the cache takes for its own purposes, as it counts it.
   *
   * @return bytes; 0 if it does not say
   */
  default long memoryBytes() {
    return 0;
  }
}
