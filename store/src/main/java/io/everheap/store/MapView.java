package io.everheap.store;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sharded map as a {@link ConcurrentMap}. Safe for use by many threads.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
class MapView<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  final ShardedMap<K, V> map;

  MapView(ShardedMap<K, V> map) {
    this.map = map;
  }

  @SuppressWarnings("unchecked") // a key of another class is refused by the codec
  private K key(@Nullable Object key) {
    return (K) java.util.Objects.requireNonNull(key, "key");
  }

  /** Whether a key can be in this view. */
  boolean covers(K key) {
    return true;
  }

  private K covered(K key) {
    if (!covers(java.util.Objects.requireNonNull(key, "key"))) {
      throw new IllegalArgumentException("the key is outside of the range of this view");
    }
    return key;
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, map.sizeLong());
  }

  @Override
  public boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    K wanted = key(key);
    try {
      return covers(wanted) ? map.get(wanted) : null;
    } catch (ClassCastException e) {
      return null;
    }
  }

  @Override
  public V getOrDefault(@Nullable Object key, V otherwise) {
    V value = get(key);
    return value == null ? otherwise : value;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return super.containsValue(java.util.Objects.requireNonNull(value, "value"));
  }

  @Override
  public @Nullable V put(K key, V value) {
    return map.put(covered(key), value);
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    K wanted = key(key);
    try {
      return covers(wanted) ? map.remove(wanted) : null;
    } catch (ClassCastException e) {
      return null;
    }
  }

  @Override
  @SuppressWarnings("unchecked") // compared with equals only
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    K wanted = key(key);
    try {
      return value != null && covers(wanted) && map.remove(wanted, (V) value);
    } catch (ClassCastException e) {
      return false;
    }
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return map.putIfAbsent(covered(key), value);
  }

  @Override
  public @Nullable V replace(K key, V value) {
    return covers(key) ? map.replace(key, value) : null;
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    return covers(key) && map.replace(key, expected, value);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    return map.compute(covered(key), function);
  }

  @Override
  @SuppressWarnings("NullAway") // null only if the function returns null
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    return map.computeIfAbsent(covered(key), function);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    return covers(key) ? map.computeIfPresent(key, function) : null;
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    return map.merge(covered(key), value, function);
  }

  @Override
  public void clear() {
    map.clear();
  }

  Iterator<Map.Entry<K, V>> iterator() {
    return map.entries();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<K, V>> {
    @Override
    public int size() {
      return MapView.this.size();
    }

    @Override
    public void clear() {
      MapView.this.clear();
    }

    @Override
    public boolean contains(@Nullable Object o) {
      return o instanceof Map.Entry<?, ?> e
          && e.getKey() != null
          && e.getValue() != null
          && e.getValue().equals(MapView.this.get(e.getKey()));
    }

    @Override
    public boolean remove(@Nullable Object o) {
      return o instanceof Map.Entry<?, ?> e
          && e.getKey() != null
          && e.getValue() != null
          && MapView.this.remove(e.getKey(), e.getValue());
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new WriteThrough(MapView.this.iterator());
    }
  }

  private final class WriteThrough implements Iterator<Map.Entry<K, V>> {
    private final Iterator<Map.Entry<K, V>> entries;
    private @Nullable K last;

    WriteThrough(Iterator<Map.Entry<K, V>> entries) {
      this.entries = entries;
    }

    @Override
    public boolean hasNext() {
      return entries.hasNext();
    }

    @Override
    @SuppressWarnings("serial") // never sent anywhere
    public Map.Entry<K, V> next() {
      Map.Entry<K, V> entry = entries.next();
      last = entry.getKey();
      return new SimpleEntry<K, V>(entry) {
        @Override
        public V setValue(V value) {
          map.set(getKey(), value);
          return super.setValue(value);
        }
      };
    }

    @Override
    public void remove() {
      K key = last;
      if (key == null) {
        throw new IllegalStateException("next() comes first");
      }
      map.remove(key);
      last = null;
    }
  }
}
