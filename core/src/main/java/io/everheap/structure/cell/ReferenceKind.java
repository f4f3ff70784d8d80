package io.everheap.structure.cell;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableReference;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.ValueCheck;
import io.everheap.structure.common.ValueStore;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableReference}. */
public final class ReferenceKind extends StructureKind {
  /** The only one. */
  public static final ReferenceKind INSTANCE = new ReferenceKind();

  /** In the place of 1: there is a value, which is its word. */
  static final long WORD = 1;

  /** In the place of 1: there is a value, in a cell. */
  static final long CELL = 2;

  private ReferenceKind() {
    super("reference", BlockType.ATOMIC_REFERENCE, new Part("value", true));
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    long reference = heap.allocator().allocate(headerType(), AtomicCell.REFERENCE_BYTES);
    long header = Reference.address(reference);
    heap.memory().initLong(header + AtomicCell.REFERENCE_TYPE, types[0]);
    return reference;
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    cell(heap, reference).checkAlive();
    return dead(heap, definition, reference);
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return ReferenceHandle.attach(heap, reference, definition.codec(0));
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
  public long[] types(StructureContext heap, long reference) {
    int bytes = AtomicCell.REFERENCE_BYTES;
    AtomicCell.requireType(heap, reference, BlockType.ATOMIC_REFERENCE, bytes);
    long header = Reference.address(reference);
    return new long[] {heap.memory().getLong(header + AtomicCell.REFERENCE_TYPE)};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    long header = Reference.address(reference);
    long present = heap.memory().getLong(header + AtomicCell.REFERENCE_PRESENT);
    boolean isEmpty = present == 0; // then it does not store whether values are words
    return new boolean[] {isEmpty ? !ValueCheck.fits(types.getFirst(), false) : present == WORD};
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
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableReference<Object> copy = ReferenceHandle.attach(heap, reference, raw);
    return (key, value) -> {
      copy.set(value);
      return true;
    };
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    AtomicCell cell = cell(heap, reference);
    cell.checkAlive();
    freeValue(cell, new ValueStore<>(heap, Codecs.BYTES));
    heap.allocator().free(cell.stripe, reference);
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    Object value = ReferenceHandle.attach(heap, reference, codecs.getFirst()).get();
    return value == null ? Stream.of() : Stream.of(Map.entry(0L, value));
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return ReferenceHandle.attach(heap, reference, codecs.getFirst()).undecodable();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    long header = Reference.address(reference);
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
