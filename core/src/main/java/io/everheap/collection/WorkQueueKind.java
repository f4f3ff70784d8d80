package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.check.WorkQueueCheck;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.collection.lifecycle.WorkQueueLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableWorkQueue}. A copy has the elements, and no leases. */
final class WorkQueueKind implements StructureKind {
  static final WorkQueueKind INSTANCE = new WorkQueueKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private WorkQueueKind() {}

  @Override
  public String name() {
    return "work queue";
  }

  @Override
  public int headerType() {
    return BlockType.WORK_QUEUE_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(Engine engine, long reference) {
    WorkQueueLifecycle.requireHeader(engine, reference);
    return new long[] {engine.memory().getLong(Reference.payload(reference))};
  }

  @Override
  public long size(Engine engine, long reference) {
    return OptimisticReads.of(engine)
        .read(TreeLifecycle.guard(engine, reference), guard -> elements(engine, reference).size());
  }

  private static DequeChunks elements(Engine engine, long reference) {
    WorkQueueLifecycle.requireHeader(engine, reference);
    return new DequeChunks(engine, reference, WorkQueueLifecycle.ELEMENTS);
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    return new boolean[] {elements(engine, reference).words()};
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return DurableWorkQueue.definition(original.raw(0));
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    var queue = DurableWorkQueue.attach(engine, reference, original.raw(0));
    return (index, value) -> {
      queue.add(value);
      return true;
    };
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(engine.transactions(), () -> WorkQueueLifecycle.destroy(engine, reference));
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return ListKind.numbered(
        DurableWorkQueue.attach(engine, reference, codecs.getFirst()).iterator());
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    new WorkQueueCheck(engine, reference, findings).run(codecs.getFirst());
  }
}
