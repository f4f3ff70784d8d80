package io.everheap.structure.sorted;

import io.everheap.structure.common.Contents;
import io.everheap.structure.common.MapCollection;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values and the entries of a sorted map, and what its views have in common. */
final class SortedViews {
  private SortedViews() {}

  /** Iterates over what it makes of entries. Used by one thread. */
  abstract static class Walk<T> implements Iterator<T> {
    private final SortedMapView<?, ?> map;
    private final SortedCursor cursor;
    private boolean removable;

    Walk(SortedMapView<?, ?> map, boolean withValues) {
      this.map = map;
      this.cursor = map.cursor(withValues);
    }

    abstract T element(SortedBatch batch, int i);

    @Override
    public final boolean hasNext() {
      return cursor.hasNext();
    }

    @Override
    public final T next() {
      if (!cursor.advance()) {
        throw new NoSuchElementException();
      }
      removable = true; // first, so that an entry that does not decode can be removed
      return element(cursor.batch(), cursor.position());
    }

    @Override
    public final void forEachRemaining(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      while (cursor.hasNext()) {
        action.accept(next());
      }
    }

    @Override
    public final void remove() {
      if (!removable) {
        throw new IllegalStateException("no element to remove: call next first");
      }
      removable = false;
      map.removeEncoded(cursor.key());
    }
  }

  /** What a view makes of an entry. */
  interface Element<T> {
    T of(SortedBatch batch, int i);
  }

  /**
   * Traverses in order; parts for other threads are copied out. Inside a transaction there are
   * none: other threads do not see what it stored.
   */
  static final class Split<T> extends Spliterators.AbstractSpliterator<T> {
    private final SortedCursor cursor;
    private final Element<T> element;

    Split(SortedCursor cursor, boolean distinct, Element<T> element) {
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
      action.accept(element.of(cursor.batch(), cursor.position()));
      return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      visit(cursor, element, action);
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
      return cursor.isWriter() ? null : super.trySplit();
    }
  }

  /**
   * Visits all that a cursor has before it, a batch at a time. After an exception the cursor stands
   * on the element that it is about. It is moved for each element, since in a {@code try} values
   * would be allocated that the action only looks at.
   */
  static <T> void visit(SortedCursor cursor, Element<T> element, Consumer<? super T> action) {
    while (cursor.hasNext()) {
      SortedBatch batch = cursor.batch();
      int size = batch.size();
      for (int i = cursor.position() + 1; i < size; i++) {
        cursor.stand(i);
        action.accept(element.of(batch, i));
      }
    }
  }

  /** What the values and the entries have in common. */
  abstract static class View<K, V, T> extends MapCollection<T> {
    private final SortedMapView<K, V> map;

    View(SortedMapView<K, V> map) {
      this.map = map;
    }

    @Override
    protected final SortedMapView<K, V> map() {
      return map;
    }

    @Override
    protected final SortedStore<K, V> store() {
      return map.store();
    }

    abstract T element(SortedBatch batch, int i);

    @Override
    public final Spliterator<T> spliterator() {
      return new Split<>(map.cursor(true), this instanceof Set<?>, this::element);
    }

    @Override
    public final void forEach(Consumer<? super T> action) {
      Objects.requireNonNull(action, "action");
      visit(map.cursor(true), this::element, action);
    }

    @Override
    public final boolean removeIf(Predicate<? super T> filter) {
      Objects.requireNonNull(filter, "filter");
      return map.removeIf(
          true,
          cursor -> Contents.isAccepted(filter, () -> element(cursor.batch(), cursor.position())));
    }
  }

  /** The values, in the order of their keys. */
  static final class Values<K, V> extends View<K, V, V> {
    Values(SortedMapView<K, V> map) {
      super(map);
    }

    @Override
    V element(SortedBatch batch, int i) {
      return store().value(batch, i);
    }

    private static final class ValueWalk<V> extends Walk<V> {
      private final SortedMapView<?, V> map;

      ValueWalk(SortedMapView<?, V> map) {
        super(map, true);
        this.map = map;
      }

      @Override
      V element(SortedBatch batch, int i) {
        return map.store().value(batch, i);
      }
    }

    @Override
    public Iterator<V> iterator() {
      return new ValueWalk<>(map());
    }

    @Override
    public boolean contains(@Nullable Object value) {
      return map().containsValue(value);
    }

    @Override
    public boolean remove(@Nullable Object value) {
      return value != null
          && store()
              .inTransaction(
                  () -> {
                    SortedCursor cursor = map().cursor(true);
                    while (cursor.advance()) {
                      if (Contents.isSame(value, () -> map().value(cursor))) {
                        return store().remove(cursor.key());
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
    Map.Entry<K, V> element(SortedBatch batch, int i) {
      return map().entry(batch, i);
    }

    private static final class EntryWalk<K, V> extends Walk<Map.Entry<K, V>> {
      private final SortedMapView<K, V> map;

      EntryWalk(SortedMapView<K, V> map) {
        super(map, true);
        this.map = map;
      }

      @Override
      Map.Entry<K, V> element(SortedBatch batch, int i) {
        return map.entry(batch, i);
      }
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new EntryWalk<>(map());
    }

    @Override
    public boolean contains(@Nullable Object element) {
      return containsEntry(element);
    }

    @Override
    public boolean remove(@Nullable Object element) {
      return removeEntry(element);
    }
  }
}
