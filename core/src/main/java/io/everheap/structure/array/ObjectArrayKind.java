package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableArray;
import io.everheap.collection.Undecodable;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.bytes.CellsFreer;
import io.everheap.structure.bytes.ChunkedBytes;
import io.everheap.structure.bytes.ChunkedCheck;
import io.everheap.structure.bytes.ChunkedLayout;
import io.everheap.structure.bytes.ChunkedLifecycle;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.ValueCheck;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kind of {@link DurableArray}. Immutable arrays have a header of another block type, which
 * builds refuse that know only arrays that can change.
 */
public final class ObjectArrayKind extends StructureKind {
  /** The only one. */
  public static final ObjectArrayKind INSTANCE = new ObjectArrayKind();

  private ObjectArrayKind() {
    super("object array", BlockType.OBJECT_ARRAY_HEADER, new Part("element", true));
  }

  /**
   * What it takes to make or find an array.
   *
   * @param length number of elements; that of any array if it is negative
   * @param values of a new immutable one; null if elements are set later
   * @param immutable whether a new one is immutable
   */
  private record Wanted(
      long length, @Nullable List<? extends @Nullable Object> values, boolean immutable) {}

  @Override
  public boolean isHeader(int type) {
    return type == BlockType.OBJECT_ARRAY_HEADER || type == BlockType.IMMUTABLE_ARRAY_HEADER;
  }

  /** The type that the header of an array must have. */
  static int headerType(boolean immutable) {
    return immutable ? BlockType.IMMUTABLE_ARRAY_HEADER : BlockType.OBJECT_ARRAY_HEADER;
  }

  /** Whether an array is immutable. The caller keeps writers out, or validates. */
  static boolean isImmutable(HeapContext heap, long reference) {
    return heap.allocator().type(reference) == BlockType.IMMUTABLE_ARRAY_HEADER;
  }

  private static ChunkedBytes attach(StructureContext heap, long reference) {
    return ChunkedBytes.attach(heap, reference, headerType(isImmutable(heap, reference)));
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    if (shape.is(1, Long.class)) {
      return define(shape, new Wanted(ArrayKind.lengthOf(shape), null, false));
    }
    List<?> values = shape.get(1, List.class);
    return define(shape, new Wanted(values.size(), values, true));
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    Wanted wanted = definition.option(Wanted.class);
    boolean words = definition.codec(0) instanceof WordCodec;
    long bytes = ObjectSlots.bytes(ArrayKind.requireLength(wanted.length), words);
    long flags = 8 | (words ? ObjectSlots.WORDS : 0);
    int header = headerType(wanted.immutable);
    long reference = ChunkedLifecycle.create(heap, header, types[0], bytes, flags);
    List<?> values = wanted.values;
    if (values != null) {
      ArrayHandle<Object> array = ArrayHandle.attach(heap, reference, definition.codec(0));
      for (int i = 0; i < values.size(); i++) {
        array.init(i, values.get(i));
      }
    }
    return reference;
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    Wanted wanted = definition.option(Wanted.class);
    var array = ArrayHandle.attach(heap, reference, definition.codec(0));
    ArrayKind.requireSame(wanted.length, array.length());
    if (wanted.immutable && !array.isImmutable()) {
      throw new IllegalArgumentException("the array was made as one that can change");
    }
    return array;
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return ArrayHandle.dead(heap, reference, definition.codec(0));
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    int header = headerType(isImmutable(heap, reference));
    return new long[] {ChunkedBytes.type(heap, reference, header)};
  }

  @Override
  public boolean[] words(StructureContext heap, long reference, List<@Nullable String> types) {
    long at = Reference.address(reference) + ChunkedLayout.FLAGS;
    return new boolean[] {hasWords(heap.memory().getLong(at))};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    ChunkedBytes chunks = attach(heap, reference);
    return ObjectSlots.elements(chunks.length(), hasWords(chunks.flags()));
  }

  private static boolean hasWords(long flags) {
    return (flags & ObjectSlots.WORDS) != 0;
  }

  @Override
  public long count(StructureContext heap, long reference) {
    return -1;
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    boolean immutable = isImmutable(original.heap(), original.reference());
    return copyDefinition(original, new Wanted(original.size(), null, immutable));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    ArrayHandle<Object> array = ArrayHandle.attach(heap, reference, raw);
    return (index, value) -> {
      array.init((Long) index, value);
      return true;
    };
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    ChunkedBytes chunks = attach(heap, reference);
    if (hasWords(chunks.flags())) {
      ChunkedLifecycle.destroy(chunks);
    } else {
      CellsFreer.destroy(chunks);
    }
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    DurableArray<Object> array = ArrayHandle.attach(heap, reference, codecs.getFirst());
    return LongStream.range(0, array.length())
        .boxed()
        .<Map.Entry<Object, Object>>mapMulti(
            (i, sink) -> {
              Object value = array.get(i);
              if (value != null) {
                sink.accept(Map.entry(i, value));
              }
            });
  }

  @Override
  public Iterator<Undecodable> undecodable(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return ArrayHandle.attach(heap, reference, codecs.getFirst()).undecodable();
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    int type = headerType(isImmutable(heap, reference));
    if (!ChunkedCheck.run(heap, reference, type, findings)) {
      return;
    }
    long header = Reference.address(reference);
    long flags = heap.memory().getLong(header + ChunkedLayout.FLAGS);
    boolean words = hasWords(flags);
    long length = heap.memory().getLong(header + ChunkedLayout.LENGTH);
    long elements = ObjectSlots.elements(length, words);
    if ((flags | ObjectSlots.WORDS) != (8 | ObjectSlots.WORDS)
        || ObjectSlots.bytes(elements, words) != length) {
      String message = length + " bytes of values with flags 0x" + Long.toHexString(flags);
      findings.problem("header", header + ChunkedLayout.FLAGS, null, message);
      return;
    }
    long at = header + ChunkedLayout.FLAGS;
    Codec<?> codec = ValueCheck.fitting(findings, at, words, codecs.getFirst());
    new ElementCheck(attach(heap, reference), findings)
        .run(elements, words, new ValueCheck(heap, findings, words, codec));
  }

  /** Goes through the elements that are there. */
  private record ElementCheck(ChunkedBytes chunks, StructureFindings findings) {
    void run(long elements, boolean words, ValueCheck values) {
      for (long i = 0; i < elements; i++) {
        long at = ObjectSlots.word(i, words);
        long block = chunks.chunk(at / ChunkedLayout.CHUNK);
        if (block == 0 && !words) {
          i = Math.max(i, next(at) / 8 - 1); // to the next chunk
        } else if (isThere(i, at, words)) {
          findings.counted();
          long address = Reference.payload(block) + at % ChunkedLayout.CHUNK;
          values.check(address, chunks.load(at, 8), i);
        }
      }
    }

    private static long next(long offset) {
      return (offset / ChunkedLayout.CHUNK + 1) * ChunkedLayout.CHUNK;
    }

    private boolean isThere(long i, long at, boolean words) {
      return words
          ? (chunks.load(ObjectSlots.presence(i), 8) & ObjectSlots.bit(i)) != 0
          : chunks.load(at, 8) != 0;
    }
  }
}
