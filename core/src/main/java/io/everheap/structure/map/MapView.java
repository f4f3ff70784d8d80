package io.everheap.structure.map;

import io.everheap.collection.DurableMap;
import io.everheap.structure.common.Contents;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the three views of a map have in common. Bulk removals are one transaction: all of it
 * happens, or nothing.
 */
abstract class MapView<K, V, T> extends AbstractCollection<T> {
  private final DurableMap<K, V> map;
  private final MapStore<K, V> store;

  MapView(DurableMap<K, V> map, MapStore<K, V> store) {
    this.map = map;
    this.store = store;
  }

  final DurableMap<K, V> map() {
    return map;
  }

  final MapStore<K, V> store() {
    return store;
  }

  /** Decodes the element at which a cursor stands. */
  abstract T element(MapCursor cursor);

  /** Whether {@link #element} needs the value. */
  abstract boolean needsValues();

  /** Whether no two elements are equal. */
  abstract boolean isDistinct();

  @Override
  public final int size() {
    return map.size();
  }

  @Override
  public final boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public final void clear() {
    map.clear();
  }

  @Override
  public final Iterator<T> iterator() {
    return new MapIterator<>(cursor(), this::element, store);
  }

  @Override
  public final Spliterator<T> spliterator() {
    return new MapSpliterator<>(cursor(), this::element, store, isDistinct());
  }

  private MapCursor cursor() {
    return store.reads.cursor(needsValues());
  }

  @Override
  public final void forEach(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    MapCursor cursor = cursor();
    while (cursor.advance()) {
      action.accept(element(cursor));
    }
  }

  @Override
  public final boolean removeIf(Predicate<? super T> filter) {
    Objects.requireNonNull(filter, "filter");
    return store.inTransaction(
        () -> {
          boolean changed = false;
          MapCursor cursor = cursor();
          while (cursor.advance()) {
            if (filter.test(element(cursor))) {
              changed |= store.removeEncoded(cursor.key());
            }
          }
          return changed;
        });
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return removeIf(elements::contains);
  }

  @Override
  public final boolean retainAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return removeIf(element -> !elements.contains(element));
  }

  @Override
  public final String toString() {
    return Contents.elements(this);
  }
}
