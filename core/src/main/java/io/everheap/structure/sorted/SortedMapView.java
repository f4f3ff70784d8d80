package io.everheap.structure.sorted;

import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.TransactionalMap;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A range of a sorted map, in one of both directions; the whole map is one. It holds nothing
 * itself. Each change is one transaction, or part of the one that the thread runs. Thread-safe.
 */
public abstract class SortedMapView<K, V> extends TransactionalMap<K, V>
    implements ConcurrentNavigableMap<K, V> {
  private final SortedStore<K, V> store;
  private final KeyRange range;
  private final boolean descending;

  SortedMapView(SortedStore<K, V> store, KeyRange range, boolean descending) {
    super(store);
    this.store = store;
    this.range = range;
    this.descending = descending;
  }

  final SortedStore<K, V> store() {
    return store;
  }

  final KeyRange range() {
    return range;
  }

  // ---- Keys in range ------------------------------------------------------------------------

  private boolean inRange(Encoded key) {
    return range.isAll() || range.contains(store, key);
  }

  @Override
  protected final Encoded added(K key) {
    Encoded encoded = store.encodeKey(key);
    if (!inRange(encoded)) {
      throw new IllegalArgumentException("the key is outside of the range of this view");
    }
    return encoded;
  }

  @Override
  protected final @Nullable Encoded found(@Nullable Object key) {
    Encoded encoded = store.encodeAnyKey(key);
    return encoded == null || !inRange(encoded) ? null : encoded;
  }

  // ---- Reading one entry --------------------------------------------------------------------

  @Override
  public @Nullable V get(@Nullable Object key) {
    Objects.requireNonNull(key, "key");
    if (range.isAll()) {
      return store.get(key);
    }
    Encoded encoded = found(key);
    return encoded == null ? null : store.getEncoded(encoded);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    Encoded encoded = found(key);
    return encoded != null && store.contains(encoded);
  }

  // ---- Reading many -------------------------------------------------------------------------

  /** The number of entries, by counting them if this is not the whole map. */
  long entries() {
    if (range.isAll()) {
      return store.count();
    }
    return cursor(false).count();
  }

  @Override
  public int size() {
    return (int) Math.min(entries(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return range.isAll() ? store.count() == 0 : nearest(null, true, false, false) == null;
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    Objects.requireNonNull(value, "value");
    SortedCursor cursor = cursor(true);
    while (cursor.advance()) {
      if (Contents.isSame(value, () -> value(cursor))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    SortedCursor cursor = cursor(true);
    while (cursor.hasNext()) {
      store.visit(cursor.batch(), action);
      cursor.skipBatch();
    }
  }

  final SortedCursor cursor(boolean withValues) {
    return new SortedCursor(store, range, descending, withValues);
  }

  final K key(SortedCursor cursor) {
    return store.key(cursor.batch(), cursor.position());
  }

  final V value(SortedCursor cursor) {
    return store.value(cursor.batch(), cursor.position());
  }

  final Entry<K, V> entry(SortedBatch batch, int i) {
    return store.entry(this, batch, i);
  }

  // ---- Changing one entry -------------------------------------------------------------------

  @Override
  public @Nullable V put(K key, V value) {
    if (store.mustBegin()) {
      return store.inTransaction(() -> put(key, value));
    }
    Encoded k = added(key);
    Encoded v = store.encodeValue(value);
    return store.inTransaction(() -> store.put(k, v));
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    Encoded k = found(key);
    return k == null ? null : store.inTransaction(() -> store.take(k));
  }

  /** Removes a key without decoding its value; false if it is not there. */
  public final boolean delete(Object key) {
    return removeKey(key);
  }

  final boolean removeKey(@Nullable Object key) {
    Encoded k = found(key);
    return k != null && removeEncoded(k);
  }

  final boolean removeEncoded(Encoded key) {
    return store.inTransaction(() -> store.remove(key));
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    store.inTransaction(
        () -> {
          SortedCursor cursor = cursor(true);
          while (cursor.advance()) {
            Encoded k = cursor.key();
            Encoded v = store.encodeValue(function.apply(key(cursor), value(cursor)));
            if (store.contains(k)) { // the function may have removed it
              store.set(k, v);
            }
          }
          return true;
        });
  }

  @Override
  public void clear() {
    store.inTransaction(
        () -> {
          if (range.isAll()) {
            store.clear();
            return true;
          }
          SortedCursor cursor = cursor(false);
          while (cursor.advance()) {
            store.remove(cursor.key());
          }
          return true;
        });
  }

  /** Removes all entries that a test accepts, in one transaction. */
  final boolean removeIf(boolean withValues, Predicate<SortedCursor> test) {
    return store.inTransaction(
        () -> {
          boolean changed = false;
          SortedCursor cursor = cursor(withValues);
          while (cursor.advance()) {
            if (test.test(cursor)) {
              changed |= store.remove(cursor.key());
            }
          }
          return changed;
        });
  }

  // ---- Neighbours ---------------------------------------------------------------------------

  /**
   * The entry of this view nearest to a key.
   *
   * @param bound the key, or null for the end from which the walk starts
   * @param below whether to walk to smaller keys, whatever the direction of this view
   * @return one entry, or null
   */
  private @Nullable SortedBatch nearest(
      @Nullable Encoded bound, boolean inclusive, boolean below, boolean withValue) {
    Encoded from = bound;
    boolean with = inclusive;
    if (below) {
      if (from == null || range.isTooHigh(store, from)) {
        from = range.high();
        with = range.highInclusive();
      }
    } else if (from == null || range.isTooLow(store, from)) {
      from = range.low();
      with = range.lowInclusive();
    }
    SortedBatch found = store.nearest(from, with, below, withValue);
    if (found.size() == 0) {
      return null;
    }
    Encoded key = found.key(0);
    boolean beyond = below ? range.isTooLow(store, key) : range.isTooHigh(store, key);
    return beyond ? null : found;
  }

  private @Nullable Entry<K, V> entryOf(@Nullable SortedBatch found) {
    return found == null
        ? null
        : new SimpleImmutableEntry<>(store.key(found, 0), store.value(found, 0));
  }

  private @Nullable Entry<K, V> near(@Nullable K key, boolean inclusive, boolean before) {
    Encoded bound = key == null ? null : store.encodeKey(key);
    return entryOf(nearest(bound, inclusive, before != descending, true));
  }

  private @Nullable K nearKey(K key, boolean inclusive, boolean before) {
    SortedBatch found = nearest(store.encodeKey(key), inclusive, before != descending, false);
    return found == null ? null : store.key(found, 0);
  }

  @Override
  public @Nullable Entry<K, V> lowerEntry(K key) {
    return near(Objects.requireNonNull(key, "key"), false, true);
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return nearKey(key, false, true);
  }

  @Override
  public @Nullable Entry<K, V> floorEntry(K key) {
    return near(Objects.requireNonNull(key, "key"), true, true);
  }

  @Override
  public @Nullable K floorKey(K key) {
    return nearKey(key, true, true);
  }

  @Override
  public @Nullable Entry<K, V> ceilingEntry(K key) {
    return near(Objects.requireNonNull(key, "key"), true, false);
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return nearKey(key, true, false);
  }

  @Override
  public @Nullable Entry<K, V> higherEntry(K key) {
    return near(Objects.requireNonNull(key, "key"), false, false);
  }

  @Override
  public @Nullable K higherKey(K key) {
    return nearKey(key, false, false);
  }

  @Override
  public @Nullable Entry<K, V> firstEntry() {
    return near(null, true, false);
  }

  @Override
  public @Nullable Entry<K, V> lastEntry() {
    return near(null, true, true);
  }

  @Override
  public K firstKey() {
    return endKey(descending);
  }

  @Override
  public K lastKey() {
    return endKey(!descending);
  }

  private K endKey(boolean below) {
    SortedBatch found = nearest(null, true, below, false);
    if (found == null) {
      throw new NoSuchElementException();
    }
    return store.key(found, 0);
  }

  @Override
  public @Nullable Entry<K, V> pollFirstEntry() {
    return poll(descending);
  }

  @Override
  public @Nullable Entry<K, V> pollLastEntry() {
    return poll(!descending);
  }

  private @Nullable Entry<K, V> poll(boolean below) {
    return store.inTransaction(
        () -> {
          SortedBatch found = nearest(null, true, below, true);
          Entry<K, V> entry = entryOf(found);
          if (found != null) {
            store.remove(found.key(0));
          }
          return entry;
        });
  }

  /** Removes the first or the last entry and returns its key, or null; no value is decoded. */
  @Nullable K pollKey(boolean last) {
    return store.inTransaction(
        () -> {
          SortedBatch found = nearest(null, true, last != descending, false);
          if (found == null) {
            return null;
          }
          K key = store.key(found, 0);
          store.remove(found.key(0));
          return key;
        });
  }

  // ---- Views --------------------------------------------------------------------------------

  @Override
  public @Nullable Comparator<? super K> comparator() {
    Comparator<? super K> comparator = store.comparator();
    return descending ? Collections.reverseOrder(comparator) : comparator;
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(
      K fromKey, boolean fromInclusive, K toKey, boolean toInclusive) {
    return part(store.encodeKey(fromKey), fromInclusive, store.encodeKey(toKey), toInclusive);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K toKey, boolean inclusive) {
    return part(null, true, store.encodeKey(toKey), inclusive);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K fromKey, boolean inclusive) {
    return part(store.encodeKey(fromKey), inclusive, null, true);
  }

  private ConcurrentNavigableMap<K, V> part(
      @Nullable Encoded from, boolean fromInclusive, @Nullable Encoded to, boolean toInclusive) {
    KeyRange part =
        descending
            ? range.part(store, to, toInclusive, from, fromInclusive)
            : range.part(store, from, fromInclusive, to, toInclusive);
    return new Part<>(store, part, descending);
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(K fromKey, K toKey) {
    return subMap(fromKey, true, toKey, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K toKey) {
    return headMap(toKey, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K fromKey) {
    return tailMap(fromKey, true);
  }

  @Override
  public ConcurrentNavigableMap<K, V> descendingMap() {
    return new Part<>(store, range, !descending);
  }

  /** The entries whose keys begin with a key, in the direction of this view. */
  final ConcurrentNavigableMap<K, V> prefixed(K prefix) {
    Encoded encoded = store.encodeKey(prefix);
    if (!store.hasPrefixes()) {
      throw new UnsupportedOperationException("keys of this map do not begin with others");
    }
    return new Part<>(store, range.prefixed(store, encoded), descending);
  }

  @Override
  public NavigableSet<K> keySet() {
    return new SortedKeys<>(this);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return keySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public Collection<V> values() {
    return new SortedViews.Values<>(this);
  }

  @Override
  public Set<Entry<K, V>> entrySet() {
    return new SortedViews.Entries<>(this);
  }

  /** A part of a map, or all of it in the other direction. */
  static final class Part<K, V> extends SortedMapView<K, V> {
    Part(SortedStore<K, V> store, KeyRange range, boolean descending) {
      super(store, range, descending);
    }
  }
}
