package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.chunk.AtomicCell;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import java.util.List;

/**
 * What it takes to make or find an atomic long or a counter.
 *
 * @param kind which of the two
 * @param initial value of a new one
 * @param attach makes a handle
 */
record CellDefinition<S>(CellKind kind, long initial, ArrayDefinition.Attach<S> attach)
    implements Definition<S> {
  @Override
  public List<Codec<?>> codecs() {
    return List.of();
  }

  @Override
  public long create(Engine engine, long[] types) {
    long reference = engine.allocator().allocateRaw(kind.headerType(), AtomicCell.LONG_BYTES);
    engine.memory().initLong(Reference.payload(reference), initial);
    return reference;
  }

  @Override
  public S attach(Engine engine, long reference) {
    AtomicCell.requireAlive(engine, reference, kind.headerType(), AtomicCell.LONG_BYTES);
    return attach.to(engine, reference);
  }

  @Override
  public S dead(Engine engine, long reference) {
    return attach.to(engine, reference);
  }
}
