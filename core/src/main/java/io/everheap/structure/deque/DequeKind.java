package io.everheap.structure.deque;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.list.TreeLifecycle;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableDeque}. */
public final class DequeKind extends StructureKind {
  public static final DequeKind INSTANCE = new DequeKind();

  private DequeKind() {
    super("deque", BlockType.DEQUE_HEADER, new Part("element", true));
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    int capacity = shape.get(1, Integer.class);
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity);
    }
    return define(shape, capacity);
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    return DequeLifecycle.create(heap, types[0], definition.codec(0) instanceof WordCodec);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    return DequeHandle.attach(
        heap,
        reference,
        NestedCodec.bound(definition.codec(0), heap),
        definition.option(Integer.class));
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return DequeHandle.dead(heap, reference, definition.codec(0), definition.option(Integer.class));
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
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableDeque<Object> deque = DequeHandle.attach(heap, reference, raw, Integer.MAX_VALUE);
    return (index, value) -> deque.offerLast(value);
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    DequeLifecycle.destroy(heap, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return numbered(unbounded(heap, reference, codecs).iterator());
  }

  /** Opens a deque, whose capacity only the program knows. */
  private static DequeHandle<Object> unbounded(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return DequeHandle.attach(heap, reference, codecs.getFirst(), Integer.MAX_VALUE);
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return unbounded(heap, reference, codecs).undecodable();
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
