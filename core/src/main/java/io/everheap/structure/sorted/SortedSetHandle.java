package io.everheap.structure.sorted;

import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.structure.common.Encoded;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.Objects;

/** The handle of a {@link DurableSortedSet}. */
public final class SortedSetHandle<E> extends SortedElements<E> implements DurableSortedSet<E> {
  private final SortedStore<E, Boolean> elements;

  SortedSetHandle(SortedStore<E, Boolean> store) {
    super(new SortedMapHandle<>(store));
    this.elements = store;
  }

  @Override
  public NavigableSet<E> prefixSet(E prefix) {
    return over((SortedMapView<E, ?>) map().prefixed(prefix));
  }

  @Override
  public long moveTailTo(E from, DurableSortedSet<E> target) {
    Encoded key = elements.encodeKey(from);
    Objects.requireNonNull(target, "target");
    if (!(target instanceof SortedSetHandle<E> other)) {
      throw SortedMove.notOfThisLibrary(target);
    }
    return new SortedMove<>(elements, other.elements).moveTail(key);
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
