package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.chunk.AtomicCell;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of atomic longs and of counters: one word each. */
final class CellKind implements StructureKind {
  /** The kind of {@link DurableAtomicLong}. */
  static final CellKind LONG = new CellKind("atomic long", BlockType.ATOMIC_LONG);

  /** The kind of {@link DurableCounter}. */
  static final CellKind COUNTER = new CellKind("counter", BlockType.COUNTER);

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
  public int headerType() {
    return headerType;
  }

  @Override
  public List<Part> parts() {
    return List.of();
  }

  @Override
  public long[] types(Engine engine, long reference) {
    AtomicCell.requireType(engine, reference, headerType, AtomicCell.LONG_BYTES);
    return new long[0];
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public long size(Engine engine, long reference) {
    cell(engine, reference).get(); // throws if it is not there
    return 1;
  }

  private AtomicCell cell(Engine engine, long reference) {
    return new AtomicCell(engine, reference, headerType, AtomicCell.LONG_BYTES);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new CellDefinition<Object>(this, 0, (engine, reference) -> this);
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    AtomicCell cell = cell(engine, reference);
    return (key, value) -> {
      cell.exchange(old -> (Long) value);
      return true;
    };
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(
        engine,
        () -> {
          AtomicCell cell = cell(engine, reference);
          engine.allocator().free(cell.stripe, reference);
        });
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return Stream.of(Map.entry(0L, cell(engine, reference).get()));
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    long header = io.everheap.engine.alloc.Reference.address(reference);
    boolean sound =
        new BlockCheck(engine, findings)
            .own(header, "the " + name, reference, headerType, AtomicCell.LONG_BYTES);
    if (sound && findings.wantsEntries()) {
      findings.entry(header, 0L, engine.memory().getLong(header + Long.BYTES));
    }
  }
}
