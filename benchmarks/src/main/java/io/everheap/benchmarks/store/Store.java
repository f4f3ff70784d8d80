package io.everheap.benchmarks.store;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of byte arrays by string. Safe for use by many threads. Arrays that it returns are the
 * caller's to read, arrays that it is given are the store's to keep; they are not written to again.
 */
public interface Store extends AutoCloseable {
  /**
   * Reads.
   *
   * @param key the key
   * @return the value, or {@code null} if there is none
   */
  byte @Nullable [] get(String key);

  /**
   * Inserts or replaces; returns when the write is as durable as the mode says.
   *
   * @param key the key
   * @param value the value
   */
  void put(String key, byte[] value);

  /**
   * Replaces values, all or none, also if the process is killed meanwhile.
   *
   * @param keys that are there, none of them twice
   * @param values one for each key
   * @throws UnsupportedOperationException if the store has no such thing
   */
  default void putAll(List<String> keys, List<byte[]> values) {
    throw new UnsupportedOperationException("no atomic writes of several entries");
  }

  /**
   * Reads values in the order of their keys.
   *
   * @param first where to begin: this key or the next greater one
   * @param count how many at most
   * @param values takes them
   * @throws UnsupportedOperationException if the store has no order
   */
  default void scan(String first, int count, Consumer<byte[]> values) {
    throw new UnsupportedOperationException("no order");
  }

  /** Makes all of it durable and closes. */
  @Override
  void close() throws IOException;
}
