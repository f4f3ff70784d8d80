package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.CorruptHeapException;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/**
 * What it takes to make or find a {@link DurableMap}. For use by the heap.
 *
 * @param key codec of the keys
 * @param value codec of the values
 */
public record MapDefinition<K, V>(Codec<K> key, Codec<V> value)
    implements Definition<DurableMap<K, V>> {
  /** Values may be of several versions of their type. */
  public MapDefinition {
    value = CodecEvolution.versioned(value);
  }

  @Override
  public StructureKind kind() {
    return MapKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(key, value);
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableMap<K, V>> with(List<Codec<?>> codecs) {
    return new MapDefinition<>((Codec<K>) codecs.getFirst(), (Codec<V>) codecs.getLast());
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return MapHandle.create(heap, key, value, new MapType(types[0], types[1]));
  }

  @Override
  public DurableMap<K, V> attach(StructureContext heap, long reference) {
    Coding.requireCanonical(key);
    try {
      return MapHandle.attach(heap, reference, key, NestedCodec.bound(value, heap));
    } catch (IllegalArgumentException e) { // the types are right, so the header is not
      throw new CorruptHeapException(
          "A map of " + heap.location() + " is damaged: " + e.getMessage());
    }
  }

  @Override
  public DurableMap<K, V> dead(StructureContext heap, long reference) {
    return MapHandle.dead(heap, BlockType.MAP_HEADER, reference, key, value);
  }
}
