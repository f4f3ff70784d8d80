package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.bytes.ChunkedBytes;
import io.everheap.structure.bytes.ChunkedCheck;
import io.everheap.structure.bytes.ChunkedHeader;
import io.everheap.structure.bytes.ChunkedLayout;
import io.everheap.structure.bytes.ChunkedLifecycle;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of arrays of primitive values. */
public final class ArrayKind implements StructureKind {
  /** The only one. */
  public static final ArrayKind INSTANCE = new ArrayKind();

  private static final List<Part> PARTS = List.of(new Part("element", true));

  private ArrayKind() {}

  @Override
  public String name() {
    return "array";
  }

  @Override
  public Definition<?> define(ShapeParts parts) {
    return ElementTypes.define(parts);
  }

  @Override
  public int headerType() {
    return BlockType.ARRAY_HEADER;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  /** The width of an element is that of its type. */
  @Override
  public boolean canChange() {
    return false;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return ChunkedHeader.types(heap, reference, BlockType.ARRAY_HEADER);
  }

  @Override
  public long size(StructureContext heap, long reference) {
    ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, BlockType.ARRAY_HEADER);
    return chunks.length() / width(chunks);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    int width =
        switch (original.types().getFirst()) {
          case "boolean", "byte" -> 1;
          case "short", "char" -> 2;
          case "int", "float" -> 4;
          default -> 8;
        };
    Codec<Object> raw = original.raw(0);
    return new ArrayDefinition<PrimitiveArrayHandle<?>>(
        raw,
        width,
        original.size(),
        null,
        false,
        (heap, reference) -> {
          throw new IllegalStateException("a copy has no handle of its type");
        });
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, BlockType.ARRAY_HEADER);
    return new Copy(chunks, width(chunks), isFrozen(original));
  }

  private static boolean isFrozen(Original original) {
    long at = Reference.address(original.reference()) + ChunkedLayout.FLAGS;
    return (original.heap().memory().getLong(at) & ChunkedLayout.FROZEN) != 0;
  }

  /** An array of zeros that gets the elements that are not. */
  private record Copy(ChunkedBytes chunks, int width, boolean frozen) implements StructureCopy {
    @Override
    public boolean add(Object index, Object value) {
      if ((Long) value != 0) {
        chunks.put((Long) index * width, (Long) value, width);
      }
      return true;
    }

    @Override
    public void finish() {
      if (frozen) {
        chunks.putHeader(ChunkedLayout.FLAGS, chunks.flags() | ChunkedLayout.FROZEN);
      }
    }
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    heap.transactions()
        .run(
            () ->
                ChunkedLifecycle.destroy(
                    ChunkedBytes.attach(heap, reference, BlockType.ARRAY_HEADER)));
  }

  private static int width(ChunkedBytes chunks) {
    int width = (int) (chunks.flags() & ChunkedLayout.WIDTH);
    if (!isWidth(width)) {
      throw Damage.at(chunks.header, "an array of elements of " + width + " bytes");
    }
    return width;
  }

  private static boolean isWidth(long width) {
    return width > 0 && width <= 8 && (width & (width - 1)) == 0;
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, BlockType.ARRAY_HEADER);
    int width = width(chunks);
    Codec<Object> codec = codecs.getFirst();
    if (!(codec instanceof WordCodec<Object> words)) {
      throw Damage.at(chunks.header, "an array of " + codec.name());
    }
    return LongStream.range(0, chunks.length() / width)
        .mapToObj(
            i -> Map.entry(i, words.fromWord(word(codec.name(), chunks.get(i * width, width)))));
  }

  /** The word that a codec of a primitive type has for an element. */
  private static long word(String type, long raw) {
    return switch (type) {
      case "boolean" -> (byte) raw == 0 ? 0 : 1;
      case "byte" -> (byte) raw;
      case "short" -> (short) raw;
      case "char" -> (char) raw;
      case "int" -> (int) raw;
      case "float" -> Float.floatToIntBits(Float.intBitsToFloat((int) raw));
      case "double" -> Double.doubleToLongBits(Double.longBitsToDouble(raw));
      default -> raw;
    };
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    if (!ChunkedCheck.run(heap, reference, BlockType.ARRAY_HEADER, findings)) {
      return;
    }
    long header = Reference.address(reference);
    long flags = heap.memory().getLong(header + ChunkedLayout.FLAGS);
    long width = flags & ChunkedLayout.WIDTH;
    long length = heap.memory().getLong(header + ChunkedLayout.LENGTH);
    if (!isWidth(width) || length % width != 0 || flags >>> 9 != 0) {
      String message = length + " bytes of elements with flags 0x" + Long.toHexString(flags);
      findings.problem("header", header + ChunkedLayout.FLAGS, null, message);
    } else if (findings.wantsEntries() && codecs.getFirst() != null) {
      ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, BlockType.ARRAY_HEADER);
      String type = codecs.getFirst().name();
      for (long i = 0; i < length / width; i++) {
        long chunk = chunks.chunk(i * width / ChunkedLayout.CHUNK);
        long block = chunk == 0 ? header : Reference.address(chunk);
        findings.entry(block, i, word(type, chunks.load(i * width, (int) width)));
      }
    }
  }
}
