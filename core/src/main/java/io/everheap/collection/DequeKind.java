package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.deque.DequeCheck;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.lifecycle.DequeLifecycle;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableDeque}. */
final class DequeKind implements StructureKind {
  static final DequeKind INSTANCE = new DequeKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private DequeKind() {}

  @Override
  public String name() {
    return "deque";
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
  public long[] types(Engine engine, long reference) {
    DequeLifecycle.requireHeader(engine, reference);
    return new long[] {engine.memory().getLong(Reference.payload(reference))};
  }

  @Override
  public long size(Engine engine, long reference) {
    return OptimisticReads.of(engine)
        .read(
            TreeLifecycle.guard(engine, reference),
            guard -> {
              DequeLifecycle.requireHeader(engine, reference);
              return new DequeChunks(engine, reference, DequeLifecycle.OFFSET).size();
            });
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    DequeLifecycle.requireHeader(engine, reference);
    return new boolean[] {new DequeChunks(engine, reference, DequeLifecycle.OFFSET).words()};
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new DequeDefinition<>(original.raw(0), Integer.MAX_VALUE);
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableDeque<Object> deque = DurableDeque.attach(engine, reference, raw, Integer.MAX_VALUE);
    return (index, value) -> deque.offerLast(value);
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(engine.transactions(), () -> DequeLifecycle.destroy(engine, reference));
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return ListKind.numbered(
        DurableDeque.attach(engine, reference, codecs.getFirst(), Integer.MAX_VALUE).iterator());
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    long header = Reference.address(reference);
    try {
      if (new BlockCheck(engine, findings)
          .own(
              header,
              "the header",
              reference,
              BlockType.DEQUE_HEADER,
              DequeLifecycle.HEADER_BYTES)) {
        DequeChunks chunks = new DequeChunks(engine, reference, DequeLifecycle.OFFSET);
        new DequeCheck(engine, chunks, codecs.getFirst(), findings).run();
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem("deque", header, null, String.valueOf(e.getMessage()));
    }
  }
}
