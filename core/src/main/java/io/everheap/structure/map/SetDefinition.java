package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableSet;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.CorruptHeapException;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/**
 * What it takes to make or find a {@link DurableSet}.
 *
 * @param element codec of the elements
 */
public record SetDefinition<E>(Codec<E> element) implements Definition<DurableSet<E>> {
  @Override
  public StructureKind kind() {
    return SetKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableSet<E>> with(List<Codec<?>> codecs) {
    return new SetDefinition<>((Codec<E>) codecs.getFirst());
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    MapType type = new MapType(types[0], 0);
    return MapLifecycle.create(heap, BlockType.SET_HEADER, element, NoValue.INSTANCE, type);
  }

  @Override
  public DurableSet<E> attach(StructureContext heap, long reference) {
    Coding.requireCanonical(element);
    try {
      return SetHandle.attach(heap, reference, element);
    } catch (IllegalArgumentException e) { // the type is right, so the header is not
      throw new CorruptHeapException(
          "A set of " + heap.location() + " is damaged: " + e.getMessage());
    }
  }

  @Override
  public DurableSet<E> dead(StructureContext heap, long reference) {
    return new SetHandle<>(
        MapHandle.dead(heap, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE));
  }
}
