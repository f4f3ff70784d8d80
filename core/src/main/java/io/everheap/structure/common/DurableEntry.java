package io.everheap.structure.common;

import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A key and the value that it had when an iterator saw it. {@link #setValue} writes through to the
 * map; later changes of the map do not show here.
 */
public final class DurableEntry<K, V> implements Map.Entry<K, V> {
  private final ConcurrentMap<K, V> map;
  private final K key;
  private V value;

  public DurableEntry(ConcurrentMap<K, V> map, K key, V value) {
    this.map = map;
    this.key = key;
    this.value = value;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public V setValue(V newValue) {
    V old = value;
    map.put(key, newValue);
    value = newValue;
    return old;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Map.Entry<?, ?> entry
        && Contents.equal(key, entry.getKey())
        && Contents.equal(value, entry.getValue());
  }

  @Override
  public int hashCode() {
    return Contents.hash(key) ^ Contents.hash(value);
  }

  @Override
  public String toString() {
    return Contents.text(key) + '=' + Contents.text(value);
  }
}
