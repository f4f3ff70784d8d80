package io.everheap.structure.common;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries by their encoded keys: what the methods of a map are made of, whatever keeps the entries.
 *
 * @param <V> the type of values
 */
public interface EntryStore<V> {
  /** Whether entries can be encoded only inside a transaction. */
  boolean mustBegin();

  /** Runs a body as a transaction, or as a part of this thread's that can be undone alone. */
  <T extends @Nullable Object> T inTransaction(Supplier<T> body);

  /** Encodes a value. */
  Encoded encodeValue(V value);

  /** The value of a key, or null, without a lock. */
  @Nullable V getEncoded(Encoded key);

  /** Waits until what this thread read is as durable as a change of its own would be. */
  void awaitWhatWasSeen();

  /** The value of a key, or null, in a transaction. */
  @Nullable V present(Encoded key);

  /** Adds an entry in a transaction, unless there is one; returns the value that there is. */
  @Nullable V add(Encoded key, Encoded value);

  /** Sets the value of a key in a transaction. */
  void set(Encoded key, Encoded value);

  /** Removes a key in a transaction; false if it is not there. */
  boolean remove(Encoded key);
}
