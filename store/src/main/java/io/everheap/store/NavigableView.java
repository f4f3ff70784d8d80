package io.everheap.store;

import io.everheap.store.ShardedSortedMap.Range;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A range of a sharded sorted map, in one of both directions; the whole map is one. It holds
 * nothing itself. Safe for use by many threads.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
final class NavigableView<K, V> extends MapView<K, V> implements ConcurrentNavigableMap<K, V> {
  private final ShardedSortedMap<K, V> sorted;
  private final Range range;
  private final boolean descending;

  NavigableView(ShardedSortedMap<K, V> sorted, Range range, boolean descending) {
    super(sorted);
    this.sorted = sorted;
    this.range = range;
    this.descending = descending;
  }

  private boolean isWhole() {
    return range.equals(Range.ALL);
  }

  @Override
  boolean covers(K key) {
    return isWhole() || range.contains(sorted.encodeKey(key));
  }

  @Override
  Iterator<Map.Entry<byte[], Object>> stored() {
    return sorted.stored(range, descending);
  }

  @Override
  Iterator<byte[]> storedKeys() {
    Iterator<Map.Entry<byte[], Object>> entries = stored();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public byte[] next() {
        return entries.next().getKey();
      }
    };
  }

  @Override
  public int size() {
    if (isWhole()) {
      return super.size();
    }
    int size = 0;
    for (Iterator<?> all = stored(); all.hasNext() && size < Integer.MAX_VALUE; all.next()) {
      size++;
    }
    return size;
  }

  @Override
  public boolean isEmpty() {
    return isWhole() ? super.isEmpty() : sorted.firstStored(range, descending) == null;
  }

  @Override
  public void clear() {
    if (isWhole()) {
      super.clear();
    } else {
      storedKeys().forEachRemaining(sorted::deleteEncoded);
    }
  }

  // ---- Neighbours ---------------------------------------------------------------------------

  /** The first entry behind a key in the direction of this view, or the last one before it. */
  private Map.@Nullable Entry<byte[], Object> near(K key, boolean inclusive, boolean before) {
    byte[] bytes = sorted.encodeKey(key);
    boolean below = before != descending;
    byte[] bound = below == inclusive ? Range.behind(bytes) : bytes;
    return sorted.firstStored(below ? range.to(bound) : range.from(bound), below);
  }

  private Map.@Nullable Entry<K, V> decoded(Map.@Nullable Entry<byte[], Object> entry) {
    return entry == null ? null : sorted.decode(entry);
  }

  /** Decodes the key of an entry, and not its value. */
  private @Nullable K keyOf(Map.@Nullable Entry<byte[], Object> entry) {
    return entry == null ? null : sorted.decodeKey(entry.getKey());
  }

  private K required(Map.@Nullable Entry<byte[], Object> entry) {
    K key = keyOf(entry);
    if (key == null) {
      throw new NoSuchElementException("the map, or this range of it, is empty");
    }
    return key;
  }

  @Override
  public Map.@Nullable Entry<K, V> lowerEntry(K key) {
    return decoded(near(key, false, true));
  }

  @Override
  public @Nullable K lowerKey(K key) {
    return keyOf(near(key, false, true));
  }

  @Override
  public Map.@Nullable Entry<K, V> floorEntry(K key) {
    return decoded(near(key, true, true));
  }

  @Override
  public @Nullable K floorKey(K key) {
    return keyOf(near(key, true, true));
  }

  @Override
  public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
    return decoded(near(key, true, false));
  }

  @Override
  public @Nullable K ceilingKey(K key) {
    return keyOf(near(key, true, false));
  }

  @Override
  public Map.@Nullable Entry<K, V> higherEntry(K key) {
    return decoded(near(key, false, false));
  }

  @Override
  public @Nullable K higherKey(K key) {
    return keyOf(near(key, false, false));
  }

  @Override
  public Map.@Nullable Entry<K, V> firstEntry() {
    return sorted.first(range, descending);
  }

  @Override
  public Map.@Nullable Entry<K, V> lastEntry() {
    return sorted.first(range, !descending);
  }

  @Override
  public K firstKey() {
    return required(sorted.firstStored(range, descending));
  }

  @Override
  public K lastKey() {
    return required(sorted.firstStored(range, !descending));
  }

  @Override
  public Map.@Nullable Entry<K, V> pollFirstEntry() {
    return sorted.poll(range, descending);
  }

  @Override
  public Map.@Nullable Entry<K, V> pollLastEntry() {
    return sorted.poll(range, !descending);
  }

  /** Removes the first entry and returns its key, or null; the value is not decoded. */
  @Nullable K pollFirstKey() {
    return sorted.pollKey(range, descending);
  }

  /** Removes the last entry and returns its key, or null; the value is not decoded. */
  @Nullable K pollLastKey() {
    return sorted.pollKey(range, !descending);
  }

  // ---- Views --------------------------------------------------------------------------------

  @Override
  public @Nullable Comparator<? super K> comparator() {
    Comparator<? super K> comparator = sorted.keys.comparator;
    return descending ? Collections.reverseOrder(comparator) : comparator;
  }

  /** The part between two keys in the direction of this view; null for its ends. */
  private NavigableView<K, V> part(
      @Nullable K from, boolean fromInclusive, @Nullable K to, boolean toInclusive) {
    return descending
        ? bounded(to, toInclusive, from, fromInclusive)
        : bounded(from, fromInclusive, to, toInclusive);
  }

  private NavigableView<K, V> bounded(
      @Nullable K low, boolean lowInclusive, @Nullable K high, boolean highInclusive) {
    Range bounds = sorted.range(low, true, high, true); // with both keys
    if (low != null && high != null && bounds.isEmpty()) {
      throw new IllegalArgumentException("the first key is greater than the last");
    }
    if ((low != null && !range.canBound(sorted.encodeKey(low), lowInclusive))
        || (high != null && !range.canBound(sorted.encodeKey(high), highInclusive))) {
      throw new IllegalArgumentException("a key outside of the range of this view");
    }
    Range asked = sorted.range(low, lowInclusive, high, highInclusive);
    return new NavigableView<>(sorted, range.from(asked.low()).to(asked.high()), descending);
  }

  @Override
  public NavigableView<K, V> subMap(
      K fromKey, boolean fromInclusive, K toKey, boolean toInclusive) {
    Objects.requireNonNull(fromKey, "fromKey");
    return part(fromKey, fromInclusive, Objects.requireNonNull(toKey, "toKey"), toInclusive);
  }

  @Override
  public NavigableView<K, V> headMap(K toKey, boolean inclusive) {
    return part(null, true, Objects.requireNonNull(toKey, "toKey"), inclusive);
  }

  @Override
  public NavigableView<K, V> tailMap(K fromKey, boolean inclusive) {
    return part(Objects.requireNonNull(fromKey, "fromKey"), inclusive, null, true);
  }

  @Override
  public NavigableView<K, V> subMap(K fromKey, K toKey) {
    return subMap(fromKey, true, toKey, false);
  }

  @Override
  public NavigableView<K, V> headMap(K toKey) {
    return headMap(toKey, false);
  }

  @Override
  public NavigableView<K, V> tailMap(K fromKey) {
    return tailMap(fromKey, true);
  }

  @Override
  public NavigableView<K, V> descendingMap() {
    return new NavigableView<>(sorted, range, !descending);
  }

  @Override
  public NavigableSet<K> keySet() {
    return new NavigableKeys<>(this);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return keySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().keySet();
  }
}
