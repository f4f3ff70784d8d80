package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.collection.lifecycle.ChunkedLifecycle;
import io.everheap.engine.Engine;
import java.util.List;

/**
 * What it takes to make or find a text or a buffer.
 *
 * @param kind which of the two
 * @param attach makes a handle
 */
record ChunkedDefinition<S>(ChunkedKind kind, ArrayDefinition.Attach<S> attach)
    implements Definition<S> {
  @Override
  public List<Codec<?>> codecs() {
    return List.of();
  }

  @Override
  public long create(Engine engine, long[] types) {
    return ChunkedLifecycle.create(engine, kind.headerType(), 0, 0, 0);
  }

  @Override
  public S attach(Engine engine, long reference) {
    ChunkedBytes.attach(engine, reference, kind.headerType()).checkAlive();
    return attach.to(engine, reference);
  }

  @Override
  public S dead(Engine engine, long reference) {
    return attach.to(engine, reference);
  }
}
