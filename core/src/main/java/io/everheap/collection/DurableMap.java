package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;

/**
 * A hash map that lives in a heap and outlives the process: a {@link ConcurrentMap} whose changes
 * are atomic and durable. Keys and values are copied in and out by their codecs; two keys are the
 * same if their encoded forms are, and values are compared with {@code equals}, arrays by their
 * contents. Neither can be null. Values can be structures of the same heap: see {@link #of(Class,
 * Shape)}.
 *
 * <p><b>Transactions.</b> A method that changes the map is a transaction of its own, or part of the
 * one that this thread runs: it happens wholly or not at all, also {@link #putAll}, {@link #clear},
 * {@link #replaceAll} and the bulk removals of the views. When it returns outside a transaction, it
 * is as durable as the heap's durability says; so is what a method found that decided to change
 * nothing, such as a {@link #putIfAbsent} that returns a value. Functions given to {@link #compute}
 * and its like run inside the transaction, once; an exception of theirs undoes what that call did
 * and nothing else. They may use this map.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the same part of the
 * map, and see the newest commit, which its own caller may still be waiting for to become durable.
 * Iterators, streams and views are weakly consistent: they see each entry that stays exactly once,
 * and may or may not see what changes meanwhile. For a consistent view over several reads use
 * {@code Heap.read}.
 *
 * <p><b>Cost.</b> The table grows by one bucket at a time, so no insert pays for all; it does not
 * shrink, except by {@link #clear}. An iterator passes over empty buckets, as that of a {@code
 * HashMap} does: to take entries out one by one, use {@code remove} of one iterator, not the first
 * element of a new one each time. Removing all of a large map at once is a short transaction; its
 * space is given back in the background. An encoded key has at most 256 KiB, an encoded value just
 * below 2 GiB.
 *
 * <p>Safe for use by many threads. After the map was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 * @since 0.9
 */
@Stable
public interface DurableMap<K, V> extends ConcurrentMap<K, V>, Structure {
  /**
   * The shape of a map with these types.
   *
   * @param key class of the keys: a type with a built-in codec, an enum, a record, or a registered
   *     class
   * @param value class of the values, likewise
   */
  static <K, V> Shape<DurableMap<K, V>> of(Class<K> key, Class<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("map", key, value);
  }

  /** The shape of a map with codecs of the caller's choice. */
  static <K, V> Shape<DurableMap<K, V>> of(Codec<K> key, Codec<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("map", key, value);
  }

  /**
   * The shape of a map whose values are structures themselves, made by {@code Heap.create}.
   *
   * <pre>{@code
   * DurableMap<String, DurableSet<Long>> index =
   *     heap.root("index", DurableMap.of(String.class, DurableSet.of(Long.class)));
   * heap.transact(() -> index.put("a", heap.create(DurableSet.of(Long.class))));
   * }</pre>
   *
   * <p>The map keeps references: several entries may share a structure, and removing an entry does
   * not free what it named; {@code Heap.free} does. A value that was freed throws {@link
   * io.everheap.error.GoneException} when it is used.
   *
   * @param key class of the keys
   * @param value shape of the values
   */
  static <K, V> Shape<DurableMap<K, V>> of(Class<K> key, Shape<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("map", key, value);
  }

  /** The shape of a map whose values are structures, with a codec of the caller's choice. */
  static <K, V> Shape<DurableMap<K, V>> of(Codec<K> key, Shape<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("map", key, value);
  }

  /**
   * Returns the number of entries, in constant time.
   *
   * @return the number of the newest commit, or of the running transaction
   */
  long sizeLong();

  /** Returns {@link #sizeLong}, or {@link Integer#MAX_VALUE} if it is more. */
  @Override
  int size();

  /**
   * Does what {@link #put} does, but neither copies nor decodes the value that was there. Of a
   * value that takes the place of the old one, only the words that differ are written.
   *
   * @param key the key
   * @param value the value that it has from now on
   */
  void set(K key, V value);

  /**
   * Removes a key, as {@link #remove(Object)} does, but neither copies nor decodes its value.
   *
   * @param key the key
   * @return whether it was there
   */
  boolean delete(Object key);

  /**
   * Makes the table large enough for a number of entries, so that it does not grow while they are
   * put: a load is faster and writes less, since a growth changes entries that are there. Changes
   * nothing that the map shows. Outside of a transaction it takes many short ones; what they made
   * stays if a later one fails.
   *
   * @param entries the number that the map will have, 8 bytes of the heap each; less than it has
   *     room for changes nothing
   * @throws IllegalArgumentException if the number is negative
   * @throws io.everheap.error.FullException if the heap has no space for the table
   */
  void reserve(long entries);
}
