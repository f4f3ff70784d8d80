package io.everheap.structure.map;

import io.everheap.structure.common.Contents;
import io.everheap.structure.common.MapCollection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the keys, the values and the entries of a map have in common. */
abstract class MapView<K, V, T> extends MapCollection<T> {
  private final MapHandle<K, V> map;
  private final MapStore<K, V> store;

  MapView(MapHandle<K, V> map, MapStore<K, V> store) {
    this.map = map;
    this.store = store;
  }

  @Override
  protected final MapHandle<K, V> map() {
    return map;
  }

  @Override
  protected final MapStore<K, V> store() {
    return store;
  }

  /** Decodes the element at which a cursor stands. */
  abstract T element(MapCursor cursor);

  /** Whether {@link #element} needs the value. */
  abstract boolean needsValues();

  @Override
  public final Iterator<T> iterator() {
    return new MapIterator<>(cursor(), this::element, store);
  }

  @Override
  public final Spliterator<T> spliterator() {
    return new MapSpliterator<>(cursor(), this::element, store, this instanceof Set<?>);
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
            if (Contents.isAccepted(filter, () -> element(cursor))) {
              changed |= store.removeEncoded(cursor.key());
            }
          }
          return changed;
        });
  }
}
