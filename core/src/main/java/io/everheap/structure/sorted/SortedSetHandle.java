package io.everheap.structure.sorted;

import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import java.util.Iterator;
import java.util.NavigableSet;

/** The handle of a {@link DurableSortedSet}. */
public final class SortedSetHandle<E> extends SortedElements<E> implements DurableSortedSet<E> {
  SortedSetHandle(SortedStore<E, Boolean> store) {
    super(new SortedMapHandle<>(store));
  }

  @Override
  public NavigableSet<E> prefixSet(E prefix) {
    return over((SortedMapView<E, ?>) map().prefixed(prefix));
  }

  @Override
  public long sizeLong() {
    return map().entries();
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return map().store().undecodable(map().cursor(true), false);
  }

  @Override
  public StructureId id() {
    return map().store().id();
  }

  /** The reference of the header. */
  long reference() {
    return map().store().tree().reference();
  }
}
