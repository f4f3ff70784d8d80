package io.everheap.structure.bytes;

import io.everheap.codec.Codec;
import io.everheap.structure.common.Attach;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import java.util.List;

/**
 * What it takes to make or find a text or a buffer.
 *
 * @param kind which of the two
 * @param attach makes a handle
 */
public record ChunkedDefinition<S>(ChunkedKind kind, Attach<S> attach) implements Definition<S> {
  @Override
  public List<Codec<?>> codecs() {
    return List.of();
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return ChunkedLifecycle.create(heap, kind.headerType(), 0, 0, 0);
  }

  @Override
  public S attach(StructureContext heap, long reference) {
    ChunkedBytes.attach(heap, reference, kind.headerType()).checkAlive();
    return attach.to(heap, reference);
  }

  @Override
  public S dead(StructureContext heap, long reference) {
    return attach.to(heap, reference);
  }
}
