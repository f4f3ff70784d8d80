package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.bytes.ChunkedBytes;
import io.everheap.structure.bytes.ChunkedCheck;
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
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of arrays of primitive values. */
public final class ArrayKind extends StructureKind {
  /** The only one. */
  public static final ArrayKind INSTANCE = new ArrayKind();

  /** Stands for the length of whatever array there is. */
  private static final long ANY_LENGTH = -1;

  private ArrayKind() {
    super("array", BlockType.ARRAY_HEADER, new Part("element", true));
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    ElementType<?> type = ElementType.of(shape.get(0, Class.class));
    Wanted<?> wanted;
    if (shape.is(1, Long.class)) {
      wanted = new Wanted<>(type, lengthOf(shape), null, false);
    } else {
      Object values = shape.get(1, Object.class);
      if (values.getClass().componentType() != type.type()) {
        throw new IllegalArgumentException(
            values.getClass().getTypeName() + " is no array of " + type.type());
      }
      boolean frozen = shape.get(2, Boolean.class);
      wanted = new Wanted<>(type, Array.getLength(values), values, frozen);
    }
    return new Definition<>(this, List.of(type.codec()), List.of(), wanted);
  }

  /**
   * What it takes to make or find an array.
   *
   * @param type of the elements
   * @param length number of elements; {@link #ANY_LENGTH} for an existing array
   * @param values of a new one; null for zeros
   * @param frozen whether a new one is immutable from then on
   */
  private record Wanted<A>(
      ElementType<A> type, long length, @Nullable Object values, boolean frozen) {
    PrimitiveArrayHandle<A> handle(StructureContext heap, long reference) {
      return type.handle().apply(heap, reference);
    }

    @SuppressWarnings("unchecked") // of the class that the type is for
    void fill(StructureContext heap, long reference) {
      PrimitiveArrayHandle<A> array = handle(heap, reference);
      array.copyFrom(0, (A) Objects.requireNonNull(values), 0, (int) length);
      if (frozen) {
        array.freeze();
      }
    }
  }

  /** The second part of a shape of arrays: their length. */
  static long lengthOf(ShapeParts shape) {
    long length = shape.get(1, Long.class);
    if (length < ANY_LENGTH) {
      throw new IllegalArgumentException("an array has 0 elements or more, not " + length);
    }
    return length;
  }

  /** Checks the length of an array that is to be made. */
  static long requireLength(long length) {
    if (length < 0 || length > Long.MAX_VALUE / 16) {
      throw new IllegalArgumentException("an array cannot have " + length + " elements");
    }
    return length;
  }

  /** Checks the length of an array that was found. */
  static void requireSame(long wanted, long found) {
    if (wanted != ANY_LENGTH && wanted != found) {
      throw new IllegalArgumentException("the array has " + found + " elements, not " + wanted);
    }
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    Wanted<?> wanted = definition.option(Wanted.class);
    int width = wanted.type.width();
    long bytes = requireLength(wanted.length) * width;
    long reference = ChunkedLifecycle.create(heap, headerType(), types[0], bytes, width);
    if (wanted.values != null) {
      wanted.fill(heap, reference);
    }
    return reference;
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    Wanted<?> wanted = definition.option(Wanted.class);
    PrimitiveArrayHandle<?> array = wanted.handle(heap, reference);
    requireSame(wanted.length, array.length());
    return array;
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return definition.option(Wanted.class).handle(heap, reference);
  }

  /** The width of an element is that of its type. */
  @Override
  public boolean canChange() {
    return false;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return new long[] {ChunkedBytes.type(heap, reference, headerType())};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, headerType());
    return chunks.length() / width(chunks);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    ElementType<?> type = ElementType.named(original.types().getFirst());
    return copyDefinition(original, new Wanted<>(type, original.size(), null, false));
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, headerType());
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
  protected void free(StructureContext heap, long reference) {
    ChunkedLifecycle.destroy(ChunkedBytes.attach(heap, reference, headerType()));
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
    ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, headerType());
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
    if (!ChunkedCheck.run(heap, reference, headerType(), findings)) {
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
      ChunkedBytes chunks = ChunkedBytes.attach(heap, reference, headerType());
      String type = codecs.getFirst().name();
      for (long i = 0; i < length / width; i++) {
        long chunk = chunks.chunk(i * width / ChunkedLayout.CHUNK);
        long block = chunk == 0 ? header : Reference.address(chunk);
        findings.entry(block, i, word(type, chunks.load(i * width, (int) width)));
      }
    }
  }
}
