package io.everheap.structure.map;

import io.everheap.collection.DurableMap;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.DurableEntry;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The views of a map: its keys, its values and its entries. They hold nothing themselves. */
final class MapViews {
  private MapViews() {}

  /** A view that is a set. */
  abstract static class SetView<K, V, T> extends MapView<K, V, T> implements Set<T> {
    SetView(DurableMap<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    final boolean isDistinct() {
      return true;
    }

    /** Asks for each of the given elements, not for each of this set's, if those are fewer. */
    @Override
    public final boolean removeAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      if (elements.size() > size()) {
        return super.removeAll(elements);
      }
      return store()
          .inTransaction(
              () -> {
                boolean changed = false;
                for (Object element : elements) {
                  changed |= element != null && remove(element);
                }
                return changed;
              });
    }

    @Override
    public final boolean equals(@Nullable Object other) {
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
    public final int hashCode() {
      return Contents.hashOfAll(this);
    }
  }

  /** The keys. */
  static final class Keys<K, V> extends SetView<K, V, K> {
    Keys(DurableMap<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    K element(MapCursor cursor) {
      return store().decodeKey(cursor.key());
    }

    @Override
    boolean needsValues() {
      return false;
    }

    @Override
    public boolean contains(@Nullable Object key) {
      return map().containsKey(key);
    }

    @Override
    public boolean remove(@Nullable Object key) {
      return store().removeKey(key);
    }
  }

  /** The entries. */
  static final class Entries<K, V> extends SetView<K, V, Map.Entry<K, V>> {
    Entries(DurableMap<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    Map.Entry<K, V> element(MapCursor cursor) {
      K key = store().decodeKey(cursor.key());
      return new DurableEntry<>(map(), key, store().decodeValue(cursor.value()));
    }

    @Override
    boolean needsValues() {
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
      return value != null && Contents.same(entry.getValue(), value);
    }

    @Override
    public boolean remove(@Nullable Object element) {
      return element instanceof Map.Entry<?, ?> entry
          && entry.getKey() != null
          && entry.getValue() != null
          && map().remove(entry.getKey(), entry.getValue());
    }
  }

  /** The values. */
  static final class Values<K, V> extends MapView<K, V, V> {
    Values(DurableMap<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    V element(MapCursor cursor) {
      return store().decodeValue(cursor.value());
    }

    @Override
    boolean needsValues() {
      return true;
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
      return value != null && store().removeOneValue(value);
    }
  }
}
