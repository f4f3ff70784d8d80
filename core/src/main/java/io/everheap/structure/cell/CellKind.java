package io.everheap.structure.cell;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableCounter;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of atomic longs and of counters: one word each. */
public final class CellKind extends StructureKind {
  /** The kind of {@link DurableAtomicLong}. */
  public static final CellKind LONG = new CellKind("atomic long", BlockType.ATOMIC_LONG);

  /** The kind of {@link DurableCounter}. */
  public static final CellKind COUNTER = new CellKind("counter", BlockType.COUNTER);

  private CellKind(String name, int headerType) {
    super(name, headerType);
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    return define(shape, isCounter() ? 0L : shape.get(0, Long.class));
  }

  private boolean isCounter() {
    return headerType() == BlockType.COUNTER;
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    long reference = heap.allocator().allocateRaw(headerType(), AtomicCell.LONG_BYTES);
    heap.memory().initLong(Reference.payload(reference), definition.option(Long.class));
    return reference;
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    cell(heap, reference).checkAlive();
    return dead(heap, definition, reference);
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return isCounter() ? new CounterHandle(heap, reference) : new AtomicLongHandle(heap, reference);
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    AtomicCell.requireType(heap, reference, headerType(), AtomicCell.LONG_BYTES);
    return new long[0];
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public long size(StructureContext heap, long reference) {
    cell(heap, reference).get(); // throws if it is not there
    return 1;
  }

  private AtomicCell cell(StructureContext heap, long reference) {
    return new AtomicCell(heap, reference, headerType(), AtomicCell.LONG_BYTES);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return copyDefinition(original, 0L);
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    AtomicCell cell = cell(heap, reference);
    return (key, value) -> {
      cell.exchange(old -> (Long) value);
      return true;
    };
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    heap.allocator().free(cell(heap, reference).stripe, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return Stream.of(Map.entry(0L, cell(heap, reference).get()));
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = Reference.address(reference);
    boolean sound =
        new BlockCheck(heap, findings)
            .own(header, "the " + name(), reference, headerType(), AtomicCell.LONG_BYTES);
    if (sound && findings.wantsEntries()) {
      findings.entry(header, 0L, heap.memory().getLong(header + Long.BYTES));
    }
  }
}
