package io.everheap.structure.deque;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableDeque;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.list.ListKind;
import io.everheap.structure.list.TreeLifecycle;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableDeque}. */
public final class DequeKind implements StructureKind {
  public static final DequeKind INSTANCE = new DequeKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private DequeKind() {}

  @Override
  public String name() {
    return "deque";
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new DequeDefinition<>(parts.codec(0), parts.get(1, Integer.class));
  }

  @Override
  public int headerType() {
    return BlockType.DEQUE_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    DequeLifecycle.requireHeader(heap, reference);
    return new long[] {heap.memory().getLong(Reference.payload(reference))};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return OptimisticReads.of(heap)
        .read(
            TreeLifecycle.guard(heap, reference),
            guard -> {
              DequeLifecycle.requireHeader(heap, reference);
              return new DequeChunks(heap, reference, DequeLifecycle.OFFSET).size();
            });
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    DequeLifecycle.requireHeader(heap, reference);
    return new boolean[] {new DequeChunks(heap, reference, DequeLifecycle.OFFSET).words()};
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new DequeDefinition<>(original.raw(0), Integer.MAX_VALUE);
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableDeque<Object> deque = DequeHandle.attach(heap, reference, raw, Integer.MAX_VALUE);
    return (index, value) -> deque.offerLast(value);
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    heap.transactions().run(() -> DequeLifecycle.destroy(heap, reference));
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return ListKind.numbered(
        DequeHandle.attach(heap, reference, codecs.getFirst(), Integer.MAX_VALUE).iterator());
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = Reference.address(reference);
    try {
      if (new BlockCheck(heap, findings)
          .own(
              header,
              "the header",
              reference,
              BlockType.DEQUE_HEADER,
              DequeLifecycle.HEADER_BYTES)) {
        DequeChunks chunks = new DequeChunks(heap, reference, DequeLifecycle.OFFSET);
        new DequeCheck(heap, chunks, codecs.getFirst(), findings).run();
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem("deque", header, null, String.valueOf(e.getMessage()));
    }
  }
}
