package io.everheap.structure.sorted;

import java.util.NavigableSet;

/** Keys of a range of a sorted map as a set to which elements can be added. */
public class SortedElements<E> extends SortedKeys<E> {
  private final SortedMapView<E, Boolean> map;

  SortedElements(SortedMapView<E, Boolean> map) {
    super(map);
    this.map = map;
  }

  @Override
  @SuppressWarnings("unchecked") // it is a view of the same map
  NavigableSet<E> over(SortedMapView<E, ?> other) {
    return new SortedElements<>((SortedMapView<E, Boolean>) other);
  }

  @Override
  public boolean add(E element) {
    return map.putIfAbsent(element, Boolean.TRUE) == null;
  }
}
