package io.everheap.structure.sorted;

import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.structure.common.Encoded;
import java.util.Iterator;
import java.util.Objects;
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
  public long moveTailTo(K from, DurableSortedMap<K, V> target) {
    Encoded key = store().encodeKey(from);
    Objects.requireNonNull(target, "target");
    if (!(target instanceof SortedMapHandle<K, V> other)) {
      throw SortedMove.notOfThisLibrary(target);
    }
    return new SortedMove<>(store(), other.store()).moveTail(key);
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
