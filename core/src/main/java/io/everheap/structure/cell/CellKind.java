package io.everheap.structure.cell;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableCounter;
import io.everheap.engine.alloc.BlockType;
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
public final class CellKind implements StructureKind {
  /** The kind of {@link DurableAtomicLong}. */
  public static final CellKind LONG = new CellKind("atomic long", BlockType.ATOMIC_LONG);

  /** The kind of {@link DurableCounter}. */
  public static final CellKind COUNTER = new CellKind("counter", BlockType.COUNTER);

  private final String name;
  private final int headerType;

  private CellKind(String name, int headerType) {
    this.name = name;
    this.headerType = headerType;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return headerType == BlockType.COUNTER
        ? new CellDefinition<DurableCounter>(this, 0, CounterHandle::new)
        : new CellDefinition<DurableAtomicLong>(
            this, parts.get(0, Long.class), AtomicLongHandle::new);
  }

  @Override
  public int headerType() {
    return headerType;
  }

  @Override
  public List<Part> parts() {
    return List.of();
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    AtomicCell.requireType(heap, reference, headerType, AtomicCell.LONG_BYTES);
    return new long[0];
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public long size(StructureContext heap, long reference) {
    cell(heap, reference).get(); // throws if it is not there
    return 1;
  }

  private AtomicCell cell(StructureContext heap, long reference) {
    return new AtomicCell(heap, reference, headerType, AtomicCell.LONG_BYTES);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new CellDefinition<Object>(this, 0, (heap, reference) -> this);
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
  public void destroy(StructureContext heap, long reference) {
    heap.transactions()
        .run(
            () -> {
              AtomicCell cell = cell(heap, reference);
              heap.allocator().free(cell.stripe, reference);
            });
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
    long header = io.everheap.engine.alloc.Reference.address(reference);
    boolean sound =
        new BlockCheck(heap, findings)
            .own(header, "the " + name, reference, headerType, AtomicCell.LONG_BYTES);
    if (sound && findings.wantsEntries()) {
      findings.entry(header, 0L, heap.memory().getLong(header + Long.BYTES));
    }
  }
}
