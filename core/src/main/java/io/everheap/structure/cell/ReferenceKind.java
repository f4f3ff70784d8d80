package io.everheap.structure.cell;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.DurableReference;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.ValueCheck;
import io.everheap.structure.common.ValueStore;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableReference}. */
public final class ReferenceKind implements StructureKind {
  /** The only one. */
  public static final ReferenceKind INSTANCE = new ReferenceKind();

  /** In the place of 1: there is a value, which is its word. */
  static final long WORD = 1;

  /** In the place of 1: there is a value, in a cell. */
  static final long CELL = 2;

  private static final List<Part> PARTS = List.of(new Part("value", true));

  private ReferenceKind() {}

  /** What it takes to make or find one. */
  record Reference<V>(Codec<V> codec) implements Definition<DurableReference<V>> {
    /** Values may be of several versions of their type. */
    Reference {
      codec = CodecEvolution.versioned(codec);
    }

    @Override
    public StructureKind kind() {
      return INSTANCE;
    }

    @Override
    public List<Codec<?>> codecs() {
      return List.of(codec);
    }

    @Override
    @SuppressWarnings("unchecked") // of the same types
    public Definition<DurableReference<V>> with(List<Codec<?>> codecs) {
      return new Reference<>((Codec<V>) codecs.getFirst());
    }

    @Override
    public long create(StructureContext heap, long[] types) {
      int bytes = AtomicCell.REFERENCE_BYTES;
      long reference = heap.allocator().allocate(BlockType.ATOMIC_REFERENCE, bytes);
      long header = io.everheap.engine.alloc.Reference.address(reference);
      heap.memory().initLong(header + AtomicCell.REFERENCE_TYPE, types[0]);
      return reference;
    }

    @Override
    public DurableReference<V> attach(StructureContext heap, long reference) {
      cell(heap, reference).checkAlive();
      return ReferenceHandle.attach(heap, reference, codec);
    }

    @Override
    public DurableReference<V> dead(StructureContext heap, long reference) {
      return ReferenceHandle.attach(heap, reference, codec);
    }
  }

  static AtomicCell cell(StructureContext heap, long reference) {
    int bytes = AtomicCell.REFERENCE_BYTES;
    return new AtomicCell(heap, reference, BlockType.ATOMIC_REFERENCE, bytes);
  }

  /** Frees the value, inside a transaction that stores another one or frees the reference. */
  static void freeValue(AtomicCell cell, ValueStore<?> values) {
    HeapMemory memory = cell.memory;
    if (memory.getLong(cell.header + AtomicCell.REFERENCE_PRESENT) == CELL) {
      values.free(cell.stripe, memory.getLong(cell.header + AtomicCell.REFERENCE_VALUE));
    }
  }

  @Override
  public String name() {
    return "reference";
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return new Reference<>(parts.codec(0));
  }

  @Override
  public int headerType() {
    return BlockType.ATOMIC_REFERENCE;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    int bytes = AtomicCell.REFERENCE_BYTES;
    AtomicCell.requireType(heap, reference, BlockType.ATOMIC_REFERENCE, bytes);
    long header = io.everheap.engine.alloc.Reference.address(reference);
    return new long[] {heap.memory().getLong(header + AtomicCell.REFERENCE_TYPE)};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    long header = io.everheap.engine.alloc.Reference.address(reference);
    long present = heap.memory().getLong(header + AtomicCell.REFERENCE_PRESENT);
    return new boolean[] {present == WORD};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    AtomicCell cell = cell(heap, reference);
    return cell.reads.read(
        cell.guard(),
        guard -> {
          cell.checkAlive();
          return cell.memory.getLong(cell.header + AtomicCell.REFERENCE_PRESENT) == 0 ? 0L : 1L;
        });
  }

  @Override
  public long count(StructureContext heap, long reference) {
    return -1;
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new Reference<>(original.raw(0));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableReference<Object> copy = ReferenceHandle.attach(heap, reference, raw);
    return (key, value) -> {
      copy.set(value);
      return true;
    };
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    heap.transactions()
        .run(
            () -> {
              AtomicCell cell = cell(heap, reference);
              cell.checkAlive();
              freeValue(cell, new ValueStore<>(heap, Codecs.BYTES));
              heap.allocator().free(cell.stripe, reference);
            });
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    Object value = ReferenceHandle.attach(heap, reference, codecs.getFirst()).get();
    return value == null ? Stream.of() : Stream.of(Map.entry(0L, value));
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = io.everheap.engine.alloc.Reference.address(reference);
    BlockCheck blocks = new BlockCheck(heap, findings);
    int bytes = AtomicCell.REFERENCE_BYTES;
    if (!blocks.own(header, "the reference", reference, BlockType.ATOMIC_REFERENCE, bytes)) {
      return;
    }
    HeapMemory memory = heap.memory();
    long present = memory.getLong(header + AtomicCell.REFERENCE_PRESENT);
    if (present < 0 || present > CELL) {
      findings.problem("reference", header, null, "unknown kind of value: " + present);
    } else if (present != 0) {
      Codec<?> codec = codecs.getFirst();
      boolean words = present == WORD;
      long at = header + AtomicCell.REFERENCE_VALUE;
      Codec<?> fitting = ValueCheck.fitting(findings, at, words, codec);
      findings.counted();
      new ValueCheck(heap, findings, words, fitting).check(at, memory.getLong(at), "value");
    }
  }
}
