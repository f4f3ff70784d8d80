package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Coding;
import io.everheap.collection.hash.MapType;
import io.everheap.collection.hash.NoValue;
import io.everheap.collection.lifecycle.MapLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.CorruptHeapException;
import java.util.List;

/**
 * What it takes to make or find a {@link DurableSet}.
 *
 * @param element codec of the elements
 */
record SetDefinition<E>(Codec<E> element) implements Definition<DurableSet<E>> {
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
  public long create(Engine engine, long[] types) {
    MapType type = new MapType(types[0], 0);
    return MapLifecycle.create(engine, BlockType.SET_HEADER, element, NoValue.INSTANCE, type);
  }

  @Override
  public DurableSet<E> attach(Engine engine, long reference) {
    Coding.requireCanonical(element);
    try {
      return DurableSet.attach(engine, reference, element);
    } catch (IllegalArgumentException e) { // the type is right, so the header is not
      throw new CorruptHeapException(
          "A set of " + engine.location() + " is damaged: " + e.getMessage());
    }
  }

  @Override
  public DurableSet<E> dead(Engine engine, long reference) {
    return new DurableSet<>(
        DurableMap.dead(engine, BlockType.SET_HEADER, reference, element, NoValue.INSTANCE));
  }
}
