package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableArray;
import io.everheap.collection.Undecodable;
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

/** The kind of {@link DurableArray}. */
public final class ObjectArrayKind extends StructureKind {
  /** The only one. */
  public static final ObjectArrayKind INSTANCE = new ObjectArrayKind();

  private ObjectArrayKind() {
    super("object array", BlockType.OBJECT_ARRAY_HEADER, new Part("element", true));
  }

  static ChunkedBytes attach(StructureContext heap, long reference) {
    return ChunkedBytes.attach(heap, reference, BlockType.OBJECT_ARRAY_HEADER);
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    return define(shape, ArrayKind.lengthOf(shape));
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    boolean words = definition.codec(0) instanceof WordCodec;
    long length = ArrayKind.requireLength(definition.option(Long.class));
    long flags = 8 | (words ? ObjectSlots.WORDS : 0);
    return ChunkedLifecycle.create(
        heap, headerType(), types[0], ObjectSlots.bytes(length, words), flags);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    var array = ArrayHandle.attach(heap, reference, definition.codec(0));
    ArrayKind.requireSame(definition.option(Long.class), array.length());
    return array;
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return ArrayHandle.dead(heap, reference, definition.codec(0));
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return new long[] {ChunkedBytes.type(heap, reference, headerType())};
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
    return copyDefinition(original, original.size());
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Codec<Object> raw = original.raw(0);
    DurableArray<Object> array = ArrayHandle.attach(heap, reference, raw);
    return (index, value) -> {
      array.set((Long) index, value);
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
    if (!ChunkedCheck.run(heap, reference, BlockType.OBJECT_ARRAY_HEADER, findings)) {
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
