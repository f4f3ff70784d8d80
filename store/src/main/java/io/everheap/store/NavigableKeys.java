package io.everheap.store;

import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a view of a sharded sorted map. Holds nothing itself.
 *
 * @param <K> the type of keys
 */
final class NavigableKeys<K> extends MapView.Keys<K> implements NavigableSet<K> {
  private final NavigableView<K, ?> map;

  NavigableKeys(NavigableView<K, ?> map) {
    this.map = map;
  }

  @Override
  MapView<K, ?> map() {
    return map;
  }

  @Override
  public MapView.WriteThrough<?, K> iterator() {
    return map.keys();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return map.descendingMap().keys();
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return map.comparator();
  }

  @Override
  public K first() {
    return map.firstKey();
  }

  @Override
  public K last() {
    return map.lastKey();
  }

  @Override
  public @Nullable K lower(K key) {
    return map.lowerKey(key);
  }

  @Override
  public @Nullable K floor(K key) {
    return map.floorKey(key);
  }

  @Override
  public @Nullable K ceiling(K key) {
    return map.ceilingKey(key);
  }

  @Override
  public @Nullable K higher(K key) {
    return map.higherKey(key);
  }

  @Override
  public @Nullable K pollFirst() {
    return map.pollFirstKey();
  }

  @Override
  public @Nullable K pollLast() {
    return map.pollLastKey();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return map.descendingKeySet();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return map.subMap(from, fromInclusive, to, toInclusive).keySet();
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return map.headMap(to, inclusive).keySet();
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return map.tailMap(from, inclusive).keySet();
  }

  @Override
  public NavigableSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public NavigableSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public NavigableSet<K> tailSet(K from) {
    return tailSet(from, true);
  }
}
