package io.everheap.cache;

import io.everheap.cache.store.BlockStore;
import io.everheap.error.CorruptValueException;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cache as a map. Operations of several keys are not atomic. */
final class CacheMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {
  private final DurableCache<K, V> cache;

  CacheMap(DurableCache<K, V> cache) {
    this.cache = cache;
  }

  @SuppressWarnings("unchecked")
  private K key(Object key) {
    return (K) key;
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, cache.estimatedSize());
  }

  @Override
  public boolean isEmpty() {
    return !entrySet().iterator().hasNext();
  }

  @Override
  public boolean containsKey(Object key) {
    return cache.blocks().contains(cache.coding().key(key(key)));
  }

  @Override
  public @Nullable V get(Object key) {
    return cache.getIfPresent(key(key));
  }

  @Override
  public V getOrDefault(Object key, V other) {
    V value = get(key);
    return value == null ? other : value;
  }

  @Override
  public @Nullable V put(K key, V value) {
    Objects.requireNonNull(value, "value");
    return cache.change(key, old -> value, false, false);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return cache.putIfAbsent(key, value);
  }

  @Override
  public @Nullable V remove(Object key) {
    return cache.change(key(key), old -> null, false, true);
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    boolean[] removed = new boolean[1];
    V _ =
        cache.change(
            key(key),
            old -> {
              removed[0] = old != null && Objects.deepEquals(old, value);
              return removed[0] ? null : old;
            },
            false,
            false);
    return removed[0];
  }

  @Override
  public @Nullable V replace(K key, V value) {
    Objects.requireNonNull(value, "value");
    return cache.change(key, old -> old == null ? null : value, false, false);
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(value, "value");
    boolean[] replaced = new boolean[1];
    V _ =
        cache.change(
            key,
            old -> {
              replaced[0] = old != null && Objects.deepEquals(old, expected);
              return replaced[0] ? value : old;
            },
            false,
            false);
    return replaced[0];
  }

  @Override
  public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
    return cache.get(key, function);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return cache.change(key, old -> old == null ? null : function.apply(key, old), true, false);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    return cache.compute(key, function);
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return cache.change(key, old -> old == null ? value : function.apply(old, value), true, false);
  }

  @Override
  public void clear() {
    cache.invalidateAll();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Entries();
      }

      @Override
      public int size() {
        return CacheMap.this.size();
      }

      @Override
      public void clear() {
        CacheMap.this.clear();
      }
    };
  }

  /** Reads the entries of one segment at a time. */
  private final class Entries implements Iterator<Map.Entry<K, V>> {
    private final BlockStore store = cache.blocks().store();
    private final Deque<byte[]> keys = new ArrayDeque<>();
    private int segment;
    private Map.@Nullable Entry<K, V> next;
    private @Nullable K last;

    @Override
    public boolean hasNext() {
      while (next == null) {
        byte[] bytes = keys.poll();
        if (bytes != null) {
          next = read(bytes);
        } else if (segment < store.segments()) {
          boolean _ = store.visit(segment++, slot -> keys.add(store.key(slot)));
        } else {
          return false;
        }
      }
      return true;
    }

    private Map.@Nullable Entry<K, V> read(byte[] bytes) {
      try {
        V value = cache.peek(bytes);
        return value == null ? null : new Written(cache.coding().key(bytes), value);
      } catch (CorruptValueException e) {
        return null; // the codec changed, and not its name
      }
    }

    @Override
    public Map.Entry<K, V> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Map.Entry<K, V> entry = Objects.requireNonNull(next);
      next = null;
      last = entry.getKey();
      return entry;
    }

    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("there is nothing to remove");
      }
      cache.invalidate(last);
      last = null;
    }
  }

  /** An entry whose changes go to the cache. */
  private final class Written extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    Written(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      cache.put(getKey(), value);
      return super.setValue(value);
    }
  }
}
