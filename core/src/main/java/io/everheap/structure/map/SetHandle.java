package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSet;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.StructureContext;
import java.util.Iterator;

/** The handle of a {@link DurableSet}: the keys of a map without values. */
public final class SetHandle<E> extends MapViews.Keys<E, Boolean> implements DurableSet<E> {
  private SetHandle(MapHandle<E, Boolean> map) {
    super(map, map.store());
  }

  static <E> SetHandle<E> attach(StructureContext heap, long reference, Codec<E> element) {
    return new SetHandle<>(
        MapHandle.attach(
            heap, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE, MapHash.ALL_BITS));
  }

  /** A handle to what was freed: every method throws. */
  static <E> SetHandle<E> dead(StructureContext heap, long reference, Codec<E> element) {
    return new SetHandle<>(
        MapHandle.dead(heap, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE));
  }

  @Override
  public StructureId id() {
    return store().id();
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return store().undecodable();
  }

  @Override
  public long sizeLong() {
    return map().sizeLong();
  }

  @Override
  public boolean add(E element) {
    return map().putIfAbsent(element, Boolean.TRUE) == null;
  }
}
