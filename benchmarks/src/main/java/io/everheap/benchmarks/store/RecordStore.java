package io.everheap.benchmarks.store;

import org.jspecify.annotations.Nullable;

/**
 * A store that keeps the fields of a record apart, so that one of them can be replaced alone. The
 * methods of {@link Store} read and write records of one field.
 */
public interface RecordStore extends Store {
  /**
   * Reads a record.
   *
   * @param key the key
   * @return its fields, the caller's to keep; {@code null} if there is none
   */
  byte @Nullable [][] fields(String key);

  /**
   * Inserts or replaces a record; returns when that is as durable as the mode says.
   *
   * @param key the key
   * @param fields its fields, whose arrays are not written to again
   */
  void put(String key, byte[][] fields);

  /**
   * Replaces one field of a record, as durably.
   *
   * @param key the key
   * @param field its number
   * @param value of the size that the field has
   * @return whether there is such a record
   */
  boolean replace(String key, int field, byte[] value);

  @Override
  default byte @Nullable [] get(String key) {
    byte @Nullable [][] fields = fields(key);
    return fields == null ? null : fields[0];
  }

  @Override
  default void put(String key, byte[] value) {
    put(key, new byte[][] {value});
  }
}
