package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * A sorted map that lives in a heap and outlives the process: a {@link ConcurrentNavigableMap}
 * whose changes are atomic and durable. Keys and values are copied in and out by their codecs;
 * values are compared with {@code equals}, arrays by their contents. Neither can be null. Values
 * can be structures of the same heap: see {@link #of(Class, Shape)}.
 *
 * <p><b>Order.</b> Keys have their natural order, or that of a {@link KeyOrder}, whose name the
 * heap remembers: opening the map with another one fails. Natural order is that of {@code
 * compareTo}, also for every {@link String}, and for {@code byte[]} that of their bytes as unsigned
 * numbers. The keys of the JDK's types are kept so that their bytes have that order, and so are
 * those of an {@link io.everheap.codec.OrderedCodec}; other {@link Comparable} keys, such as
 * records, are decoded to be compared, which is slower. Keys that the order calls equal are one
 * key, of which the first form stays; {@link java.math.BigDecimal} keys come back without zeros at
 * their end.
 *
 * <p><b>Transactions.</b> A method that changes the map or a view of it is a transaction of its
 * own, or part of the one that this thread runs: it happens wholly or not at all, also {@link
 * #putAll}, {@link #clear}, {@link #replaceAll} and the bulk removals of the views. When it returns
 * outside a transaction, it is as durable as the heap's durability says; so is what a method found
 * that decided to change nothing. Functions given to {@link #compute} and its like run inside the
 * transaction, once; an exception of theirs undoes what that call did and nothing else. They may
 * use this map.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the same part of the
 * map, and see the newest commit, which its own caller may still be waiting for to become durable.
 * Iterators, streams and views are weakly consistent: they see each entry that stays exactly once,
 * in order, and may or may not see what changes meanwhile. Entries that methods return are copies;
 * those of {@link #entrySet} write through. For a consistent view over several reads use {@code
 * Heap.read}. A comparator runs inside of reads and transactions; it must not change heaps.
 *
 * <p><b>Cost.</b> The map is a B+-tree: finding an entry or a neighbour takes time logarithmic in
 * its size; a change stores a few words and is one commit. {@link #size} of the whole map takes
 * constant time; views count. Entries next to one another are read together, so that iterating in
 * either direction does not search for each. Removing all of a large map at once is a short
 * transaction; its space is given back in the background. An encoded key has at most 256 KiB, an
 * encoded value just below 2 GiB.
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
public interface DurableSortedMap<K, V> extends ConcurrentNavigableMap<K, V>, Structure {
  /**
   * The shape of a map with these types, whose keys have their natural order.
   *
   * @param key class of the keys: a type with a built-in codec, an enum, or a registered class; it
   *     is {@link Comparable}, {@code byte[]}, or has an {@link io.everheap.codec.OrderedCodec}
   * @param value class of the values: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  static <K, V> Shape<DurableSortedMap<K, V>> of(Class<K> key, Class<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("sorted map", key, value);
  }

  /**
   * The shape of a map with these types, whose keys have an order of the caller's choice.
   *
   * @param order of the keys
   */
  static <K, V> Shape<DurableSortedMap<K, V>> of(
      Class<K> key, Class<V> value, KeyOrder<? super K> order) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(order, "order");
    return new Shape<>("sorted map", key, value, order);
  }

  /**
   * The shape of a map with codecs of the caller's choice, whose keys have their natural order.
   *
   * <p>A codec that is not ordered is refused with {@link IllegalArgumentException} when the
   * structure is opened.
   *
   * @param key a built-in codec of a type with an order, or an {@link
   *     io.everheap.codec.OrderedCodec}
   */
  static <K, V> Shape<DurableSortedMap<K, V>> of(Codec<K> key, Codec<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("sorted map", key, value);
  }

  /** The shape of a map with codecs and an order of the caller's choice. */
  static <K, V> Shape<DurableSortedMap<K, V>> of(
      Codec<K> key, Codec<V> value, KeyOrder<? super K> order) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(order, "order");
    return new Shape<>("sorted map", key, value, order);
  }

  /**
   * The shape of a map whose keys have their natural order and whose values are structures
   * themselves, made by {@code Heap.create}. Removing an entry does not free what it named; see
   * {@link DurableMap#of(Class, Shape)}.
   */
  static <K, V> Shape<DurableSortedMap<K, V>> of(Class<K> key, Shape<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Shape<>("sorted map", key, value);
  }

  /**
   * The entries whose keys begin with {@code prefix}: a view, like {@link #subMap}.
   *
   * @param prefix a text, or bytes; an empty one begins all keys
   * @throws UnsupportedOperationException if keys are no texts and no bytes in their natural order
   */
  ConcurrentNavigableMap<K, V> prefixMap(K prefix);

  /**
   * Does what {@link #put} does, but neither copies nor decodes the value that was there.
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
   * Moves the entries of {@code tailMap(from)} to another map, which is empty, in one transaction.
   * Values move as they are: nested structures and objects are neither copied nor freed.
   *
   * <p>To divide a map that is a root, make the other root in the same transaction:
   *
   * <pre>{@code
   * heap.transact(
   *     () -> old.moveTailTo("m", heap.sortedMap("from m", String.class, Long.class)));
   * }</pre>
   *
   * <p>The move changes a few nodes for each level of the tree, however many entries move. It also
   * reads the leaves of the smaller part to count its entries, so its time grows with them. If
   * earlier versions of the program wrote values of this map in a form that the header of the other
   * map does not name, entries are decoded, stored again and removed one by one. Then the largest
   * transaction limits how many can move.
   *
   * <p>Readers see all of the move or nothing of it. Iterators of this map skip the entries that
   * moved and that they had not reached.
   *
   * @param from the least key that moves; it need not be in the map
   * @param target an empty map of the same heap, with keys and values of the same types in the same
   *     order
   * @return the number of entries moved
   * @throws IllegalArgumentException if the target is this map, has entries, belongs to another
   *     heap, or has another order; nothing was moved
   * @throws io.everheap.error.GoneException if one of the maps was removed from its heap, or if
   *     {@code Heap.collect} found that nothing leads to this one
   * @throws io.everheap.error.TooLargeException if entries are moved one by one and do not fit into
   *     one transaction; nothing was moved
   */
  long moveTailTo(K from, DurableSortedMap<K, V> target);

  /**
   * Returns the number of entries, in constant time.
   *
   * @return the number of the newest commit, or of the running transaction
   */
  long sizeLong();
}
