package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.deque.DequeChunks;
import io.everheap.structure.list.TreeLifecycle;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableWorkQueue}. A copy has the elements, and no leases. */
public final class WorkQueueKind extends StructureKind {
  public static final WorkQueueKind INSTANCE = new WorkQueueKind();

  private WorkQueueKind() {
    super("work queue", BlockType.WORK_QUEUE_HEADER, new Part("element", true));
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    LongSupplier clock =
        shape.count() > 1 ? shape.get(1, LongSupplier.class) : WorkQueueHandle::now;
    return define(shape, clock);
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    return WorkQueueLifecycle.create(heap, types[0], definition.codec(0) instanceof WordCodec);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    return WorkQueueHandle.attach(
        heap,
        reference,
        NestedCodec.bound(definition.codec(0), heap),
        definition.option(LongSupplier.class));
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return WorkQueueHandle.dead(
        heap, reference, definition.codec(0), definition.option(LongSupplier.class));
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    WorkQueueLifecycle.requireHeader(heap, reference);
    return new long[] {heap.memory().getLong(Reference.payload(reference))};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return OptimisticReads.of(heap)
        .read(TreeLifecycle.guard(heap, reference), guard -> elements(heap, reference).size());
  }

  private static DequeChunks elements(StructureContext heap, long reference) {
    WorkQueueLifecycle.requireHeader(heap, reference);
    return new DequeChunks(heap, reference, WorkQueueLifecycle.ELEMENTS);
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    return new boolean[] {elements(heap, reference).words()};
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    var queue = WorkQueueHandle.attach(heap, reference, original.raw(0));
    return (index, value) -> {
      queue.add(value);
      return true;
    };
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    WorkQueueLifecycle.destroy(heap, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return numbered(WorkQueueHandle.attach(heap, reference, codecs.getFirst()).iterator());
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return WorkQueueHandle.attach(heap, reference, codecs.getFirst()).undecodable();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    new WorkQueueCheck(heap, reference, findings).run(codecs.getFirst());
  }
}
