package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.base.ValueCheck;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.chunk.AtomicCell;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.tx.HeapMemory;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of {@link DurableReference}. */
final class ReferenceKind implements StructureKind {
  /** The only one. */
  static final ReferenceKind INSTANCE = new ReferenceKind();

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
    public long create(Engine engine, long[] types) {
      int bytes = AtomicCell.REFERENCE_BYTES;
      long reference = engine.allocator().allocate(BlockType.ATOMIC_REFERENCE, bytes);
      long header = io.everheap.engine.alloc.Reference.address(reference);
      engine.memory().initLong(header + AtomicCell.REFERENCE_TYPE, types[0]);
      return reference;
    }

    @Override
    public DurableReference<V> attach(Engine engine, long reference) {
      cell(engine, reference).checkAlive();
      return DurableReference.attach(engine, reference, codec);
    }

    @Override
    public DurableReference<V> dead(Engine engine, long reference) {
      return DurableReference.attach(engine, reference, codec);
    }
  }

  static AtomicCell cell(Engine engine, long reference) {
    int bytes = AtomicCell.REFERENCE_BYTES;
    return new AtomicCell(engine, reference, BlockType.ATOMIC_REFERENCE, bytes);
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
  public int headerType() {
    return BlockType.ATOMIC_REFERENCE;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(Engine engine, long reference) {
    int bytes = AtomicCell.REFERENCE_BYTES;
    AtomicCell.requireType(engine, reference, BlockType.ATOMIC_REFERENCE, bytes);
    long header = io.everheap.engine.alloc.Reference.address(reference);
    return new long[] {engine.memory().getLong(header + AtomicCell.REFERENCE_TYPE)};
  }

  @Override
  public boolean[] words(Engine engine, long reference, List<@Nullable String> types) {
    long header = io.everheap.engine.alloc.Reference.address(reference);
    long present = engine.memory().getLong(header + AtomicCell.REFERENCE_PRESENT);
    return new boolean[] {present == WORD};
  }

  @Override
  public long size(Engine engine, long reference) {
    AtomicCell cell = cell(engine, reference);
    return cell.reads.read(
        cell.guard(),
        guard -> {
          cell.checkAlive();
          return cell.memory.getLong(cell.header + AtomicCell.REFERENCE_PRESENT) == 0 ? 0L : 1L;
        });
  }

  @Override
  public long count(Engine engine, long reference) {
    return -1;
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new Reference<>(original.raw(0));
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableReference<Object> copy = DurableReference.attach(engine, reference, raw);
    return (key, value) -> {
      copy.set(value);
      return true;
    };
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(
        engine,
        () -> {
          AtomicCell cell = cell(engine, reference);
          cell.checkAlive();
          freeValue(cell, new ValueStore<>(engine, Codecs.BYTES));
          engine.allocator().free(cell.stripe, reference);
        });
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    Object value = DurableReference.attach(engine, reference, codecs.getFirst()).get();
    return value == null ? Stream.of() : Stream.of(Map.entry(0L, value));
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    long header = io.everheap.engine.alloc.Reference.address(reference);
    BlockCheck blocks = new BlockCheck(engine, findings);
    int bytes = AtomicCell.REFERENCE_BYTES;
    if (!blocks.own(header, "the reference", reference, BlockType.ATOMIC_REFERENCE, bytes)) {
      return;
    }
    HeapMemory memory = engine.memory();
    long present = memory.getLong(header + AtomicCell.REFERENCE_PRESENT);
    if (present < 0 || present > CELL) {
      findings.problem("reference", header, null, "unknown kind of value: " + present);
    } else if (present != 0) {
      Codec<?> codec = codecs.getFirst();
      boolean words = present == WORD;
      long at = header + AtomicCell.REFERENCE_VALUE;
      Codec<?> fitting = ValueCheck.fitting(findings, at, words, codec);
      findings.counted();
      new ValueCheck(engine, findings, words, fitting).check(at, memory.getLong(at), "value");
    }
  }
}
