package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.MapHash;
import io.everheap.collection.hash.NoValue;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A hash set that lives in a heap and outlives the process: what {@code
 * ConcurrentHashMap.newKeySet()} is in memory, with changes that are atomic and durable. Elements
 * are copied in and out by their codec; two are the same if their encoded forms are. {@code null}
 * is no element.
 *
 * <p><b>Transactions.</b> A method that changes the set is a transaction of its own, or part of the
 * one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #removeAll}, {@link #retainAll}, {@link #removeIf} and {@link #clear}. When it returns outside a
 * transaction, it is as durable as the heap's durability says; so is the element that an {@link
 * #add} found there.
 *
 * <p><b>Reads</b> take no lock and see the newest commit, which its own caller may still be waiting
 * for to become durable. Iterators, spliterators and streams are weakly consistent: they see each
 * element that stays exactly once, and may or may not see what changes meanwhile. For a consistent
 * view over several reads use {@code Heap.read}.
 *
 * <p><b>Cost.</b> That of a {@link DurableMap} whose values take no space: 32 bytes for an element
 * that is a word, and 8 of a bucket. The table grows by one bucket at a time, so no insert pays for
 * all; it does not shrink, except by {@link #clear}. An encoded element has at most 256 KiB.
 *
 * <p>Safe for use by many threads. After the set was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <E> the type of elements
 */
public final class DurableSet<E> extends AbstractSet<E> implements Structure {
  private final DurableMap<E, Boolean> map;
  private final Set<E> elements;

  DurableSet(DurableMap<E, Boolean> map) {
    this.map = map;
    this.elements = map.keySet();
  }

  /**
   * The shape of a set.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  public static <E> Shape<DurableSet<E>> of(Class<E> element) {
    Objects.requireNonNull(element, "element");
    return codecs -> new SetDefinition<>(codecs.forClass(element));
  }

  /** The shape of a set with a codec of the caller's choice, which must be canonical. */
  public static <E> Shape<DurableSet<E>> of(Codec<E> element) {
    SetDefinition<E> definition = new SetDefinition<>(Objects.requireNonNull(element, "element"));
    return codecs -> definition;
  }

  static <E> DurableSet<E> attach(Engine engine, long reference, Codec<E> element) {
    return new DurableSet<>(
        DurableMap.attach(
            engine, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE, MapHash.ALL_BITS));
  }

  @Override
  public StructureId id() {
    return map.id();
  }

  /**
   * Returns the number of elements, in constant time.
   *
   * @return the number of the newest commit, or of the running transaction
   */
  public long sizeLong() {
    return map.sizeLong();
  }

  /** Returns {@link #sizeLong}, or {@link Integer#MAX_VALUE} if it is more. */
  @Override
  public int size() {
    return map.size();
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return map.containsKey(element);
  }

  @Override
  public boolean add(E element) {
    return map.putIfAbsent(element, Boolean.TRUE) == null;
  }

  /** Adds all of them or, if one of them is refused, none. */
  @Override
  public boolean addAll(Collection<? extends E> added) {
    Objects.requireNonNull(added, "added");
    return map.inTransaction(
        () -> {
          boolean changed = false;
          for (E element : added) {
            changed |= add(element);
          }
          return changed;
        });
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return elements.remove(element);
  }

  @Override
  public boolean removeAll(Collection<?> removed) {
    return elements.removeAll(removed);
  }

  @Override
  public boolean retainAll(Collection<?> kept) {
    return elements.retainAll(kept);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return elements.removeIf(filter);
  }

  @Override
  public void clear() {
    map.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return elements.iterator();
  }

  @Override
  public Spliterator<E> spliterator() {
    return elements.spliterator();
  }

  @Override
  public void forEach(Consumer<? super E> action) {
    elements.forEach(action);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || elements.equals(other);
  }

  @Override
  public int hashCode() {
    return elements.hashCode();
  }

  @Override
  public String toString() {
    return Contents.elements(this);
  }
}
