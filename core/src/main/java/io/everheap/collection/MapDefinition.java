package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.base.Coding;
import io.everheap.collection.hash.MapType;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.CorruptHeapException;
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
  public long create(Engine engine, long[] types) {
    return DurableMap.create(engine, key, value, new MapType(types[0], types[1]));
  }

  @Override
  public DurableMap<K, V> attach(Engine engine, long reference) {
    Coding.requireCanonical(key);
    try {
      return DurableMap.attach(engine, reference, key, NestedCodec.bound(value, engine));
    } catch (IllegalArgumentException e) { // the types are right, so the header is not
      throw new CorruptHeapException(
          "A map of " + engine.location() + " is damaged: " + e.getMessage());
    }
  }

  @Override
  public DurableMap<K, V> dead(Engine engine, long reference) {
    return DurableMap.dead(engine, BlockType.MAP_HEADER, reference, key, value);
  }
}
