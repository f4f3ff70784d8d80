package io.everheap.structure.sorted;

import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import java.util.Iterator;
import java.util.concurrent.ConcurrentNavigableMap;

/** The handle of a {@link DurableSortedMap}. */
public final class SortedMapHandle<K, V> extends SortedMapView<K, V>
    implements DurableSortedMap<K, V> {
  SortedMapHandle(SortedStore<K, V> store) {
    super(store, KeyRange.ALL, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> prefixMap(K prefix) {
    return prefixed(prefix);
  }

  @Override
  public long sizeLong() {
    return entries();
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return store().undecodable(cursor(true), true);
  }

  @Override
  public StructureId id() {
    return store().id();
  }

  /** The reference of the header. */
  long reference() {
    return store().tree().reference();
  }
}
