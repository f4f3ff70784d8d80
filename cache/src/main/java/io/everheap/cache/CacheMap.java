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
  private final ObjectEntries<K, V> entries;
  private final Loads<K, V> loads;

  CacheMap(ObjectEntries<K, V> entries, Loads<K, V> loads) {
    this.entries = entries;
    this.loads = loads;
  }

  @SuppressWarnings("unchecked")
  private K key(Object key) {
    return (K) key;
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, entries.size());
  }

  @Override
  public boolean isEmpty() {
    return !entrySet().iterator().hasNext();
  }

  @Override
  public boolean containsKey(Object key) {
    return entries.peek(entries.key(key(key))) != null;
  }

  @Override
  public @Nullable V get(Object key) {
    K its = key(key);
    return entries.find(its, entries.key(its));
  }

  @Override
  public V getOrDefault(Object key, V other) {
    V value = get(key);
    return value == null ? other : value;
  }

  @Override
  public @Nullable V put(K key, V value) {
    Objects.requireNonNull(value, "value");
    return entries.change(key, old -> value, false, false);
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    Objects.requireNonNull(value, "value");
    return entries.putIfAbsent(key, value);
  }

  @Override
  public @Nullable V remove(Object key) {
    return entries.change(key(key), old -> null, false, true);
  }

  @Override
  public boolean remove(Object key, @Nullable Object value) {
    boolean[] removed = new boolean[1];
    V _ =
        entries.change(
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
    return entries.change(key, old -> old == null ? null : value, false, false);
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(value, "value");
    boolean[] replaced = new boolean[1];
    V _ =
        entries.change(
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
    return loads.get(key, function);
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return entries.change(key, old -> old == null ? null : function.apply(key, old), true, false);
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
    Objects.requireNonNull(function, "function");
    return entries.change(key, old -> function.apply(key, old), true, true);
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(function, "function");
    return entries.change(
        key, old -> old == null ? value : function.apply(old, value), true, false);
  }

  @Override
  public void clear() {
    entries.invalidateAll();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Cursor();
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
  private final class Cursor implements Iterator<Map.Entry<K, V>> {
    private final BlockStore store = entries.blocks().store();
    private final Deque<byte[]> keys = new ArrayDeque<>();
    private int segment;
    private @Nullable Written next;
    private byte @Nullable [] last; // the stored key of the entry that was returned

    Cursor() {
      entries.former().awaitAll(); // else what it returned could get another key
    }

    @Override
    public boolean hasNext() {
      while (next == null) {
        byte[] bytes = keys.poll();
        if (bytes != null) {
          next = read(bytes);
        } else if (segment < store.segments()) {
          boolean _ = store.visit(segment++, (_, key) -> keys.add(key));
        } else {
          return false;
        }
      }
      return true;
    }

    private @Nullable Written read(byte[] bytes) {
      try {
        V value = entries.peek(bytes);
        return value == null ? null : new Written(entries.coding().key(bytes), bytes, value);
      } catch (CorruptValueException e) {
        return null; // the codec changed, and not its name
      }
    }

    @Override
    public Map.Entry<K, V> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Written entry = Objects.requireNonNull(next);
      next = null;
      last = entry.stored;
      return entry;
    }

    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("there is nothing to remove");
      }
      entries.invalidate(last);
      last = null;
    }
  }

  /** An entry whose changes go to the cache. */
  private final class Written extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient byte[] stored; // the key

    Written(K key, byte[] stored, V value) {
      super(key, value);
      this.stored = stored;
    }

    @Override
    public V setValue(V value) {
      entries.put(getKey(), stored, value);
      return super.setValue(value);
    }
  }
}
