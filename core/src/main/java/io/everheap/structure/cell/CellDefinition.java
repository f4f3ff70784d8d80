package io.everheap.structure.cell;

import io.everheap.codec.Codec;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.Attach;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import java.util.List;

/**
 * What it takes to make or find an atomic long or a counter.
 *
 * @param kind which of the two
 * @param initial value of a new one
 * @param attach makes a handle
 */
public record CellDefinition<S>(CellKind kind, long initial, Attach<S> attach)
    implements Definition<S> {
  @Override
  public List<Codec<?>> codecs() {
    return List.of();
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    long reference = heap.allocator().allocateRaw(kind.headerType(), AtomicCell.LONG_BYTES);
    heap.memory().initLong(Reference.payload(reference), initial);
    return reference;
  }

  @Override
  public S attach(StructureContext heap, long reference) {
    AtomicCell.requireAlive(heap, reference, kind.headerType(), AtomicCell.LONG_BYTES);
    return attach.to(heap, reference);
  }

  @Override
  public S dead(StructureContext heap, long reference) {
    return attach.to(heap, reference);
  }
}
