package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;

/** What it takes to make or find a {@link DurableList}. */
record ListDefinition<E>(Codec<E> element) implements Definition<DurableList<E>> {
  /** Values may be of several versions of their type. */
  ListDefinition {
    element = CodecEvolution.versioned(element);
  }

  @Override
  public StructureKind kind() {
    return ListKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of(element);
  }

  @Override
  @SuppressWarnings("unchecked") // of the same types
  public Definition<DurableList<E>> with(List<Codec<?>> codecs) {
    return new ListDefinition<>((Codec<E>) codecs.getFirst());
  }

  @Override
  public long create(Engine engine, long[] types) {
    return Atomic.call(
        engine.transactions(),
        () ->
            TreeLifecycle.create(
                engine, BlockType.LIST_HEADER, types, element instanceof WordCodec));
  }

  @Override
  public DurableList<E> attach(Engine engine, long reference) {
    return DurableList.attach(engine, reference, NestedCodec.bound(element, engine));
  }

  @Override
  public DurableList<E> dead(Engine engine, long reference) {
    return DurableList.dead(engine, reference, element);
  }
}
