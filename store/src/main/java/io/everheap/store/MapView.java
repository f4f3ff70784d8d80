package io.everheap.store;

import io.everheap.error.CorruptValueException;
import io.everheap.store.ValueCodec.Raw;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
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
    return (K) Objects.requireNonNull(key, "key");
  }

  /** Whether a key can be in this view. */
  boolean covers(K key) {
    return true;
  }

  private K covered(K key) {
    if (!covers(Objects.requireNonNull(key, "key"))) {
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
    K wanted = key(key);
    try {
      return covers(wanted) && map.containsKey(wanted);
    } catch (ClassCastException e) {
      return false;
    }
  }

  /** Removes a key without decoding its value; returns whether it was there. */
  final boolean delete(@Nullable Object key) {
    K wanted = key(key);
    try {
      return covers(wanted) && map.delete(wanted);
    } catch (ClassCastException e) {
      return false;
    }
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return values().contains(Objects.requireNonNull(value, "value"));
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

  /** The entries of this view as they are stored. */
  Iterator<Map.Entry<byte[], Object>> stored() {
    return map.stored();
  }

  /** The keys of this view as they are stored. */
  Iterator<byte[]> storedKeys() {
    return map.storedKeys();
  }

  /** The keys, decoded one by one. */
  final WriteThrough<?, K> keys() {
    return new WriteThrough<>(map, storedKeys(), key -> key, _ -> null, map::decodeKey);
  }

  @Override
  public Set<K> keySet() {
    return new PlainKeys<>(this);
  }

  @Override
  public Collection<V> values() {
    return new Values();
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new Entries();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    try {
      return super.equals(other);
    } catch (CorruptValueException e) {
      return false;
    }
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  @Override
  public String toString() {
    return Elements.text(entrySet(), "{", "}");
  }

  private Map.Entry<K, V> writable(Map.Entry<byte[], Object> stored) {
    return new SettableEntry<>(map, map.decode(stored));
  }

  /** An entry whose value can be set. */
  @SuppressWarnings("serial") // never sent anywhere
  private static final class SettableEntry<K, V> extends SimpleEntry<K, V> {
    private final transient ShardedMap<K, V> map;

    SettableEntry(ShardedMap<K, V> map, Map.Entry<K, V> entry) {
      super(entry);
      this.map = map;
    }

    @Override
    public V setValue(V value) {
      map.set(getKey(), value);
      return super.setValue(value);
    }
  }

  /**
   * Decodes stored elements. {@code next} throws once for an element that does not decode. Then
   * {@code remove} removes this element, and {@code next} returns the element after it.
   */
  static final class WriteThrough<S, T> implements Iterator<T> {
    private final ShardedMap<?, ?> map;
    private final Iterator<S> stored;
    private final Function<S, byte[]> key;
    private final Function<S, @Nullable Raw> value;
    private final Function<S, T> decode;
    private @Nullable S last;

    /**
     * Decodes elements.
     *
     * @param value the stored value of an element; null if the element is a key
     */
    WriteThrough(
        ShardedMap<?, ?> map,
        Iterator<S> stored,
        Function<S, byte[]> key,
        Function<S, @Nullable Raw> value,
        Function<S, T> decode) {
      this.map = map;
      this.stored = stored;
      this.key = key;
      this.value = value;
      this.decode = decode;
    }

    static <T> WriteThrough<Map.Entry<byte[], Object>, T> ofEntries(
        ShardedMap<?, ?> map,
        Iterator<Map.Entry<byte[], Object>> stored,
        Function<Map.Entry<byte[], Object>, T> decode) {
      return new WriteThrough<>(
          map, stored, Map.Entry::getKey, entry -> (Raw) entry.getValue(), decode);
    }

    @Override
    public boolean hasNext() {
      return stored.hasNext();
    }

    @Override
    public T next() {
      S element = stored.next();
      last = element;
      return decode.apply(element);
    }

    @Override
    public void remove() {
      map.deleteEncoded(key.apply(takeLast()));
    }

    /** Removes the element unless a writer replaced its value; returns whether it did. */
    boolean removeUnchanged() {
      S element = takeLast();
      Raw seen = value.apply(element);
      return seen == null
          ? map.deleteEncoded(key.apply(element))
          : map.deleteEncoded(key.apply(element), seen);
    }

    private S takeLast() {
      S element = last;
      if (element == null) {
        throw new IllegalStateException("next() comes first");
      }
      last = null;
      return element;
    }
  }

  /** A collection of keys, values or entries. An element that does not decode equals no object. */
  abstract static class Elements<T> extends AbstractCollection<T> {
    abstract MapView<?, ?> map();

    @Override
    public abstract WriteThrough<?, T> iterator();

    @Override
    public final int size() {
      return map().size();
    }

    @Override
    public final boolean isEmpty() {
      return map().isEmpty();
    }

    @Override
    public final void clear() {
      map().clear();
    }

    /** Moves past the next element that decodes and fulfils a condition; false if none does. */
    private static <T> boolean find(Iterator<T> all, Predicate<? super T> condition) {
      while (all.hasNext()) {
        T element;
        try {
          element = all.next();
        } catch (CorruptValueException e) {
          continue; // it is kept
        }
        if (condition.test(element)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean contains(@Nullable Object o) {
      return o != null && find(iterator(), o::equals);
    }

    @Override
    public boolean remove(@Nullable Object o) {
      WriteThrough<?, T> all = iterator();
      while (o != null && find(all, o::equals)) {
        if (all.removeUnchanged()) {
          return true;
        }
      }
      return false;
    }

    /** Removes elements; a value that a writer replaces after its test stays. */
    @Override
    public final boolean removeIf(Predicate<? super T> filter) {
      Objects.requireNonNull(filter, "filter");
      boolean changed = false;
      WriteThrough<?, T> all = iterator();
      while (find(all, filter)) {
        changed |= all.removeUnchanged();
      }
      return changed;
    }

    @Override
    public final boolean removeAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      if (!(this instanceof Set<?>) || elements.size() > size()) {
        return removeIf(elements::contains);
      }
      boolean changed = false;
      for (Object element : elements) {
        changed |= element != null && remove(element);
      }
      return changed;
    }

    @Override
    public final boolean retainAll(Collection<?> elements) {
      Objects.requireNonNull(elements, "elements");
      return removeIf(element -> !elements.contains(element));
    }

    /** Sets are equal if their elements are equal. A collection of values equals only itself. */
    @Override
    public final boolean equals(@Nullable Object other) {
      if (other == this || !(this instanceof Set<?>)) {
        return other == this;
      }
      try {
        return other instanceof Set<?> set && set.size() == size() && containsAll(set);
      } catch (ClassCastException | NullPointerException e) {
        return false; // the other set has elements that this one cannot have
      }
    }

    @Override
    public final int hashCode() {
      if (!(this instanceof Set<?>)) {
        return System.identityHashCode(this);
      }
      int sum = 0;
      for (T element : this) {
        sum += Objects.hashCode(element);
      }
      return sum;
    }

    @Override
    public final String toString() {
      return text(this, "[", "]");
    }

    /** Returns the elements as a text, with a mark for each one that does not decode. */
    static String text(Iterable<?> elements, String begin, String end) {
      StringJoiner text = new StringJoiner(", ", begin, end);
      for (Iterator<?> all = elements.iterator(); all.hasNext(); ) {
        String shown;
        try {
          shown = String.valueOf(all.next());
        } catch (CorruptValueException e) {
          shown = "<undecodable: " + e.getMessage() + '>';
        }
        text.add(shown);
      }
      return text.toString();
    }
  }

  /** The keys. */
  abstract static class Keys<K> extends Elements<K> {
    @Override
    public final boolean contains(@Nullable Object key) {
      return map().containsKey(key);
    }

    @Override
    public final boolean remove(@Nullable Object key) {
      return map().delete(key);
    }
  }

  private static final class PlainKeys<K> extends Keys<K> implements Set<K> {
    private final MapView<K, ?> map;

    PlainKeys(MapView<K, ?> map) {
      this.map = map;
    }

    @Override
    MapView<K, ?> map() {
      return map;
    }

    @Override
    public WriteThrough<?, K> iterator() {
      return map.keys();
    }
  }

  private final class Values extends Elements<V> {
    @Override
    MapView<K, V> map() {
      return MapView.this;
    }

    @Override
    public WriteThrough<?, V> iterator() {
      return WriteThrough.ofEntries(map, stored(), map::decodeValue);
    }
  }

  private final class Entries extends Elements<Map.Entry<K, V>> implements Set<Map.Entry<K, V>> {
    @Override
    MapView<K, V> map() {
      return MapView.this;
    }

    @Override
    public boolean contains(@Nullable Object o) {
      if (!(o instanceof Map.Entry<?, ?> e) || e.getKey() == null || e.getValue() == null) {
        return false;
      }
      try {
        return e.getValue().equals(MapView.this.get(e.getKey()));
      } catch (CorruptValueException undecodable) {
        return false;
      }
    }

    @Override
    public boolean remove(@Nullable Object o) {
      return o instanceof Map.Entry<?, ?> e
          && e.getKey() != null
          && e.getValue() != null
          && MapView.this.remove(e.getKey(), e.getValue());
    }

    @Override
    public WriteThrough<?, Map.Entry<K, V>> iterator() {
      return WriteThrough.ofEntries(map, stored(), MapView.this::writable);
    }
  }
}
