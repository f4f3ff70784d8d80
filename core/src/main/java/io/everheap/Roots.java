package io.everheap;

import io.everheap.block.Block;
import io.everheap.codec.Codec;
import io.everheap.codec.ObjectReference;
import io.everheap.collection.DescribedFields;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Shape;
import io.everheap.collection.Undecodable;
import io.everheap.report.Footprint;
import io.everheap.stability.Stable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The roots of a heap: the structures and objects that programs find by name. Everything else is
 * reached through them. Only the library implements it.
 *
 * <p>Thread-safe. Finding a root takes no lock; making, renaming or removing one is a transaction
 * of its own if there is none.
 *
 * @since 0.9
 */
@Stable
public interface Roots {
  /**
   * The structure with this name; an empty one is made if there is none.
   *
   * @param shape what it is and holds: {@code DurableMap.of(String.class, Long.class)}
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds other
   *     types
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  <S> S root(String name, Shape<S> shape);

  /**
   * The map with this name; an empty one is made if there is none.
   *
   * @param key class of the keys: a type with a built-in codec, an enum, a record, or a registered
   *     class
   * @param value class of the values, likewise
   * @throws io.everheap.error.SchemaMismatchException when it holds other types
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  default <K, V> DurableMap<K, V> map(String name, Class<K> key, Class<V> value) {
    return root(name, DurableMap.of(key, value));
  }

  /** The map with this name, with the given codecs. */
  default <K, V> DurableMap<K, V> map(String name, Codec<K> key, Codec<V> value) {
    return root(name, DurableMap.of(key, value));
  }

  /**
   * The sorted map with this name, whose keys have their natural order; an empty one is made if
   * there is none.
   *
   * @param key class of the keys: see {@link DurableSortedMap}
   * @param value class of the values: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it holds other types or has another
   *     order
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   * @throws IllegalArgumentException when keys of this class have no order of their own
   */
  default <K, V> DurableSortedMap<K, V> sortedMap(String name, Class<K> key, Class<V> value) {
    return root(name, DurableSortedMap.of(key, value));
  }

  /** The sorted map with this name, whose keys have the given order. */
  default <K, V> DurableSortedMap<K, V> sortedMap(
      String name, Class<K> key, Class<V> value, KeyOrder<? super K> order) {
    return root(name, DurableSortedMap.of(key, value, order));
  }

  /**
   * The set with this name; an empty one is made if there is none.
   *
   * @param element class of the elements, as for a map's keys
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds other
   *     types
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  default <E> DurableSet<E> set(String name, Class<E> element) {
    return root(name, DurableSet.of(element));
  }

  /** The set with this name, with the given codec. */
  default <E> DurableSet<E> set(String name, Codec<E> element) {
    return root(name, DurableSet.of(element));
  }

  /**
   * The sorted set with this name, whose elements have their natural order; an empty one is made if
   * there is none.
   *
   * @param element class of the elements: see {@link DurableSortedSet}
   * @throws io.everheap.error.SchemaMismatchException when it holds another type or has another
   *     order
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   * @throws IllegalArgumentException when elements of this class have no order of their own
   */
  default <E> DurableSortedSet<E> sortedSet(String name, Class<E> element) {
    return root(name, DurableSortedSet.of(element));
  }

  /** The sorted set with this name, whose elements have the given order. */
  default <E> DurableSortedSet<E> sortedSet(
      String name, Class<E> element, KeyOrder<? super E> order) {
    return root(name, DurableSortedSet.of(element, order));
  }

  /**
   * The list with this name; an empty one is made if there is none.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds another
   *     type
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  default <E> DurableList<E> list(String name, Class<E> element) {
    return root(name, DurableList.of(element));
  }

  /** The list with this name, with the given codec. */
  default <E> DurableList<E> list(String name, Codec<E> element) {
    return root(name, DurableList.of(element));
  }

  /**
   * The deque with this name; an empty one is made if there is none. For a bounded one use {@code
   * root(name, DurableDeque.of(element, capacity))}.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds another
   *     type
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  default <E> DurableDeque<E> deque(String name, Class<E> element) {
    return root(name, DurableDeque.of(element));
  }

  /** The deque with this name, with the given codec. */
  default <E> DurableDeque<E> deque(String name, Codec<E> element) {
    return root(name, DurableDeque.of(element));
  }

  /**
   * The priority queue with this name, in the natural order of its elements; an empty one is made
   * if there is none. For another order use {@code root(name, DurablePriorityQueue.of(element,
   * order))}.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class; it is {@link Comparable}
   * @throws io.everheap.error.SchemaMismatchException when it is another structure, holds another
   *     type or has another order
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  default <E> DurablePriorityQueue<E> priorityQueue(String name, Class<E> element) {
    return root(name, DurablePriorityQueue.of(element));
  }

  /**
   * The work queue with this name; an empty one is made if there is none.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds another
   *     type
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  default <E> DurableWorkQueue<E> workQueue(String name, Class<E> element) {
    return root(name, DurableWorkQueue.of(element));
  }

  /** The work queue with this name, with the given codec. */
  default <E> DurableWorkQueue<E> workQueue(String name, Codec<E> element) {
    return root(name, DurableWorkQueue.of(element));
  }

  /**
   * The raw block with this name; one of zeros is made if there is none.
   *
   * @param bytes its size
   * @throws IllegalArgumentException if it has another size
   */
  default Block block(String name, long bytes) {
    return root(name, Shape.ofBlock(bytes));
  }

  /**
   * The object with this name; one is made if there is none.
   *
   * @param init receives a new object, inside the transaction that makes it
   * @throws io.everheap.error.SchemaMismatchException when the root is something else, or the
   *     interface cannot read the objects that the heap has
   */
  <T> T object(String name, Class<T> type, Consumer<? super T> init);

  /** The object with this name; one whose fields are 0, false and null is made if there is none. */
  default <T> T object(String name, Class<T> type) {
    return object(name, type, object -> {});
  }

  /** Names of all roots, as a copy. */
  Set<String> names();

  /** All roots with their types and sizes, ordered by name; a copy. */
  List<Root> roots();

  /**
   * The contents of a root, decoded by its stored types: the entries of a map, the elements of
   * other structures with their positions. The classes that wrote them are not needed: see
   * {@linkplain io.everheap.codec described values}. A value that this JVM cannot decode is an
   * {@link io.everheap.collection.Undecodable} with its bytes. The stream reads the heap while it
   * is used, as an iterator of the map does.
   *
   * @throws IllegalArgumentException if there is no such root
   * @throws io.everheap.error.UnsupportedTypeException if a type is one of the user's own codecs
   */
  Stream<Map.Entry<Object, Object>> entries(String name);

  /**
   * Iterates over the entries of a root that this JVM cannot decode by the root's stored types, as
   * {@link io.everheap.collection.Structure#undecodable} does by the program's classes. Values that
   * only a class of the program refuses do decode here. The iterator does not visit fields of
   * objects and structures within the root.
   *
   * @return its {@code remove} throws {@link UnsupportedOperationException} for elements of a work
   *     queue, and for entries that are ordered by a comparator of the program
   * @throws IllegalArgumentException if there is no such root
   * @throws io.everheap.error.UnsupportedTypeException if a type is one of the user's own codecs
   */
  Iterator<Undecodable> undecodable(String name);

  /**
   * The fields of an object to which a value of {@link #entries} refers, decoded by its stored
   * type; they may refer to other objects. Empty if the object was freed or never committed.
   *
   * @throws io.everheap.error.CorruptException if it is damaged
   */
  Optional<DescribedFields> fields(ObjectReference object);

  /**
   * Measures the space that a root takes, with everything within it that is no root, by walking
   * through it: see {@link Footprint}. The time is proportional to the number of its blocks and
   * entries, plus the numbers of types and roots of the heap; the memory is 1/128 of the measured
   * bytes. Values are not decoded unless their type may contain references.
   *
   * <p>It is one consistent read, as {@link Heap#read} is: it takes no lock and starts again if a
   * commit intervenes; after several attempts it makes writers wait until it has finished. Inside a
   * transaction it includes the changes of that transaction.
   *
   * @throws IllegalArgumentException if there is no such root
   * @throws io.everheap.error.CorruptException if the walk meets damage
   */
  Footprint footprint(String name);

  /** Whether a root has this name. */
  boolean contains(String name);

  /**
   * Gives a root another name, in the running transaction or one of its own. Handles to it stay
   * valid.
   *
   * @param from its name
   * @param to its name from then on
   * @throws IllegalArgumentException if there is no such root, or another one has the name
   */
  void rename(String from, String to);

  /**
   * Removes a root and frees all that it owns, but not the structures that are its values: others
   * may hold them as well. Handles to it throw {@code GoneException} from then on.
   *
   * @return whether there was one
   */
  boolean remove(String name);

  /**
   * Removes a root, and frees it and all structures within it that are no roots themselves, in one
   * transaction, whose duration grows with their number.
   *
   * @return whether there was one
   */
  boolean removeDeep(String name);
}
