package io.everheap.collection;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values and the entries of a sorted map, and what its views have in common. */
final class SortedViews {
  private SortedViews() {}

  /** Iterates over what it makes of entries. Used by one thread. */
  abstract static class Walk<T> implements Iterator<T> {
    private final SortedMapView<?, ?> map;
    private final SortedCursor cursor;
    private boolean loaded; // the cursor stands on an element that was not returned yet
    private boolean advanced; // it has left the one that was returned
    private boolean removable;

    Walk(SortedMapView<?, ?> map, boolean withValues) {
      this.map = map;
      this.cursor = map.cursor(withValues);
    }

    abstract T element(SortedCursor cursor);

    @Override
    public final boolean hasNext() {
      if (!loaded) {
        loaded = cursor.advance();
        advanced = true;
      }
      return loaded;
    }

    @Override
    public final T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      loaded = false;
      advanced = false;
      removable = true; // first, so that an entry that does not decode can be removed
      return element(cursor);
    }

    @Override
    public final void forEachRemaining(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      while (hasNext()) {
        action.accept(next());
      }
    }

    @Override
    public final void remove() {
      if (!removable) {
        throw new IllegalStateException("no element to remove: call next first");
      }
      removable = false;
      map.removeEncoded(advanced ? cursor.keyBefore() : cursor.key());
    }
  }

  /** Traverses in order; parts for other threads are copied out. */
  static final class Split<T> extends Spliterators.AbstractSpliterator<T> {
    private final SortedCursor cursor;
    private final Function<SortedCursor, T> element;

    Split(SortedCursor cursor, boolean distinct, Function<SortedCursor, T> element) {
      super(
          Long.MAX_VALUE,
          Spliterator.ORDERED
              | Spliterator.NONNULL
              | Spliterator.CONCURRENT
              | (distinct ? Spliterator.DISTINCT : 0));
      this.cursor = cursor;
      this.element = element;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      if (!cursor.advance()) {
        return false;
      }
      action.accept(element.apply(cursor));
      return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      while (cursor.advance()) {
        action.accept(element.apply(cursor));
      }
    }
  }

  /** What the values and the entries have in common. Bulk removals are one transaction. */
  abstract static class View<K, V, T> extends AbstractCollection<T> {
    private final SortedMapView<K, V> map;

    View(SortedMapView<K, V> map) {
      this.map = map;
    }

    final SortedMapView<K, V> map() {
      return map;
    }

    abstract T element(SortedCursor cursor);

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
    public final Spliterator<T> spliterator() {
      return new Split<>(map.cursor(true), isDistinct(), this::element);
    }

    @Override
    public final void forEach(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      SortedCursor cursor = map.cursor(true);
      while (cursor.advance()) {
        action.accept(element(cursor));
      }
    }

    @Override
    public final boolean removeIf(Predicate<? super T> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.removeIf(true, cursor -> filter.test(element(cursor)));
    }

    @Override
    public final boolean removeAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(elements::contains);
    }

    @Override
    public final boolean retainAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(element -> !elements.contains(element));
    }
  }

  /** The values, in the order of their keys. */
  static final class Values<K, V> extends View<K, V, V> {
    Values(SortedMapView<K, V> map) {
      super(map);
    }

    @Override
    V element(SortedCursor cursor) {
      return map().value(cursor);
    }

    private static final class ValueWalk<V> extends Walk<V> {
      private final SortedMapView<?, V> map;

      ValueWalk(SortedMapView<?, V> map) {
        super(map, true);
        this.map = map;
      }

      @Override
      V element(SortedCursor cursor) {
        return map.value(cursor);
      }
    }

    @Override
    public Iterator<V> iterator() {
      return new ValueWalk<>(map());
    }

    @Override
    boolean isDistinct() {
      return false;
    }

    @Override
    public boolean contains(@Nullable Object value) {
      return map().containsValue(value);
    }

    @Override
    public boolean remove(@Nullable Object value) {
      return value != null
          && map()
              .store()
              .inTransaction(
                  () -> {
                    SortedCursor cursor = map().cursor(true);
                    while (cursor.advance()) {
                      if (Objects.deepEquals(value, map().value(cursor))) {
                        return map().store().remove(cursor.key());
                      }
                    }
                    return false;
                  });
    }
  }

  /** The entries. */
  static final class Entries<K, V> extends View<K, V, Map.Entry<K, V>>
      implements Set<Map.Entry<K, V>> {
    Entries(SortedMapView<K, V> map) {
      super(map);
    }

    @Override
    Map.Entry<K, V> element(SortedCursor cursor) {
      return new DurableEntry<>(map(), map().key(cursor), map().value(cursor));
    }

    private static final class EntryWalk<K, V> extends Walk<Map.Entry<K, V>> {
      private final SortedMapView<K, V> map;

      EntryWalk(SortedMapView<K, V> map) {
        super(map, true);
        this.map = map;
      }

      @Override
      Map.Entry<K, V> element(SortedCursor cursor) {
        return new DurableEntry<>(map, map.key(cursor), map.value(cursor));
      }
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new EntryWalk<>(map());
    }

    @Override
    boolean isDistinct() {
      return true;
    }

    @Override
    public boolean contains(@Nullable Object element) {
      if (!(element instanceof Map.Entry<?, ?> entry)
          || entry.getKey() == null
          || entry.getValue() == null) {
        return false;
      }
      V value = map().get(entry.getKey());
      return value != null && Objects.deepEquals(entry.getValue(), value);
    }

    @Override
    public boolean remove(@Nullable Object element) {
      return element instanceof Map.Entry<?, ?> entry
          && entry.getKey() != null
          && entry.getValue() != null
          && map().remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (other == this) {
        return true;
      }
      try {
        return other instanceof Set<?> set && set.size() == size() && containsAll(set);
      } catch (ClassCastException | NullPointerException e) {
        return false; // the other set has elements that this one cannot have
      }
    }

    @Override
    public int hashCode() {
      int sum = 0;
      for (Map.Entry<K, V> entry : this) {
        sum += entry.hashCode();
      }
      return sum;
    }
  }
}
