package io.everheap.structure.map;

import io.everheap.structure.common.DurableEntry;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The views of a map: its keys, its values and its entries. They hold nothing themselves. */
final class MapViews {
  private MapViews() {}

  /** The keys. */
  static class Keys<K, V> extends MapView<K, V, K> implements Set<K> {
    Keys(MapHandle<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    final K element(MapCursor cursor) {
      return store().decodeKey(cursor.key());
    }

    @Override
    final boolean needsValues() {
      return false;
    }

    @Override
    public final boolean contains(@Nullable Object key) {
      return map().containsKey(key);
    }

    @Override
    public final boolean remove(@Nullable Object key) {
      return store().removeKey(key);
    }
  }

  /** The entries. */
  static final class Entries<K, V> extends MapView<K, V, Map.Entry<K, V>>
      implements Set<Map.Entry<K, V>> {
    Entries(MapHandle<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    Map.Entry<K, V> element(MapCursor cursor) {
      K key = store().decodeKey(cursor.key());
      return new DurableEntry<>(map(), key, store().decodeValue(cursor));
    }

    @Override
    boolean needsValues() {
      return true;
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

  /** The values. */
  static final class Values<K, V> extends MapView<K, V, V> {
    Values(MapHandle<K, V> map, MapStore<K, V> store) {
      super(map, store);
    }

    @Override
    V element(MapCursor cursor) {
      return store().decodeValue(cursor);
    }

    @Override
    boolean needsValues() {
      return true;
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
