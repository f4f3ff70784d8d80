package io.everheap.structure.sorted;

import io.everheap.structure.common.Contents;
import io.everheap.structure.common.MapCollection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The keys of a range of a sorted map, in one of both directions. Holds nothing itself. */
class SortedKeys<K> extends MapCollection<K> implements NavigableSet<K> {
  private final SortedMapView<K, ?> map;

  SortedKeys(SortedMapView<K, ?> map) {
    this.map = map;
  }

  @Override
  protected final SortedMapView<K, ?> map() {
    return map;
  }

  @Override
  protected final SortedStore<K, ?> store() {
    return map.store();
  }

  /** The same kind of set over another range. */
  NavigableSet<K> over(SortedMapView<K, ?> other) {
    return new SortedKeys<>(other);
  }

  private NavigableSet<K> over(ConcurrentNavigableMap<K, ?> other) {
    return over((SortedMapView<K, ?>) other);
  }

  @Override
  public boolean contains(@Nullable Object key) {
    return map.containsKey(key);
  }

  @Override
  public boolean remove(@Nullable Object key) {
    return map.removeKey(key);
  }

  private static final class KeyWalk<K> extends SortedViews.Walk<K> {
    private final SortedMapView<K, ?> map;

    KeyWalk(SortedMapView<K, ?> map) {
      super(map, false);
      this.map = map;
    }

    @Override
    K element(SortedBatch batch, int i) {
      return map.store().key(batch, i);
    }
  }

  @Override
  public Iterator<K> iterator() {
    return new KeyWalk<>(map);
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public Spliterator<K> spliterator() {
    return new SortedViews.Split<>(map.cursor(false), true, map.store()::key);
  }

  @Override
  public void forEach(Consumer<? super K> action) {
    Objects.requireNonNull(action, "action");
    SortedViews.visit(map.cursor(false), map.store()::key, action);
  }

  @Override
  public boolean removeIf(Predicate<? super K> filter) {
    Objects.requireNonNull(filter, "filter");
    return map.removeIf(false, cursor -> Contents.isAccepted(filter, () -> map.key(cursor)));
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
    return map.pollKey(false);
  }

  @Override
  public @Nullable K pollLast() {
    return map.pollKey(true);
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return over(map.descendingMap());
  }

  @Override
  public NavigableSet<K> subSet(
      K fromElement, boolean fromInclusive, K toElement, boolean toInclusive) {
    return over(map.subMap(fromElement, fromInclusive, toElement, toInclusive));
  }

  @Override
  public NavigableSet<K> headSet(K toElement, boolean inclusive) {
    return over(map.headMap(toElement, inclusive));
  }

  @Override
  public NavigableSet<K> tailSet(K fromElement, boolean inclusive) {
    return over(map.tailMap(fromElement, inclusive));
  }

  @Override
  public NavigableSet<K> subSet(K fromElement, K toElement) {
    return subSet(fromElement, true, toElement, false);
  }

  @Override
  public NavigableSet<K> headSet(K toElement) {
    return headSet(toElement, false);
  }

  @Override
  public NavigableSet<K> tailSet(K fromElement) {
    return tailSet(fromElement, true);
  }
}
