package io.everheap.durable.handle;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;
import io.everheap.codec.check.CodecCheck;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.codec.reference.References;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A field of a class: where it lies in objects of the current layout, and how its values become
 * bits.
 *
 * <p>Safe for use by many threads. The plain fields that change are caches, of which every thread
 * computes the same value.
 */
public final class BoundField {
  final int position;
  final String name;
  final TypeDescriptor.Field descriptor;
  final Storage storage;
  final int offset;
  final int flag;
  final Class<?> javaType;

  /** Whether its values may hold references to objects or structures. */
  final boolean mayHoldReferences;

  /** Of a reference: the type of its targets; null until it is first needed. */
  @Nullable BoundType target;

  private final BoundType.Types types;
  private final @Nullable Codec<Object> codec;
  private final Supplier<String> place;

  /** Whether the codec was checked to read what it writes. */
  private boolean checked;

  /** Codecs of values that earlier versions of the class wrote, by their types. */
  private final Map<String, Codec<Object>> earlier = new HashMap<>();

  /** Of an enum field: the constants by their codes; null where the class has none. */
  private final List<@Nullable Object> constants = new ArrayList<>();

  /**
   * Binds a field.
   *
   * @param position in the current version
   * @param layout of that version
   * @param javaType of the field in the class
   * @param codec of its values; null for primitive types and references
   * @param stored types of its values in all stored versions, if they are bytes
   * @param types of the heap
   */
  @SuppressWarnings("unchecked") // it was found by the type of the field
  public BoundField(
      int position,
      ObjectLayout layout,
      Class<?> javaType,
      @Nullable Codec<?> codec,
      List<String> stored,
      BoundType.Types types) {
    this.position = position;
    this.descriptor = layout.type().fields().get(position);
    this.name = descriptor.name();
    this.place = () -> "the field " + layout.type().name() + '.' + name;
    this.storage = descriptor.type().storage();
    this.offset = layout.offset(position);
    this.flag = layout.flag(position);
    this.javaType = javaType;
    this.types = types;
    this.mayHoldReferences = codec != null && References.inCodec(codec);
    this.codec = (Codec<Object>) codec;
    if (storage == Storage.CELL) {
      CodecEvolution<?> _ = CodecEvolution.ofField(stored, codec(), earlier);
    }
    if (storage == Storage.ENUM) {
      constants.add(null);
      for (String constant : descriptor.type().constants()) {
        constants.add(constant(javaType, constant));
      }
    }
  }

  /** Position in the current version of the type. */
  public int position() {
    return position;
  }

  /** Name in the current version of the type. */
  public String name() {
    return name;
  }

  /** How values are stored. */
  public Storage storage() {
    return storage;
  }

  /** Offset in objects of the current layout. */
  public int offset() {
    return offset;
  }

  /** Type in the class. */
  public Class<?> javaType() {
    return javaType;
  }

  private static @Nullable Object constant(Class<?> type, String wanted) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(wanted)) {
        return constant;
      }
    }
    return null;
  }

  /** The type of a reference's targets. */
  BoundType target() {
    BoundType known = target;
    if (known == null) {
      known = types.of(javaType);
      target = known;
    }
    return known;
  }

  /**
   * Returns the constant of a code.
   *
   * @param reference to the object, for messages
   * @throws CorruptValueException if the enum has no such constant
   */
  @Nullable Object constant(long reference, long code) {
    if (code == 0) {
      return null;
    }
    Object constant = code > 0 && code < constants.size() ? constants.get((int) code) : null;
    if (constant == null) {
      List<String> stored = descriptor.type().constants();
      String name = code > 0 && code <= stored.size() ? stored.get((int) code - 1) : "" + code;
      throw new CorruptValueException(
          place(reference) + " holds " + name + ", which is no constant of " + javaType.getName());
    }
    return constant;
  }

  /** The code of a constant or null. */
  long code(@Nullable Object constant) {
    return constant == null ? 0 : constants.indexOf(constant);
  }

  private String place(long reference) {
    return place.get() + " of the object at " + Reference.describe(reference);
  }

  /**
   * Decodes a word.
   *
   * @param reference to the object, for messages
   * @throws CorruptValueException if the codec does not accept it
   */
  Object fromWord(long reference, long word) {
    WordCodec<Object> reader = word();
    try {
      return reader.fromWord(word);
    } catch (RuntimeException | LinkageError e) {
      throw DecodeFailure.of(place(reference), reader.name(), e);
    }
  }

  /** The word of a value. */
  long toWord(Object value) {
    return word().toWord(value);
  }

  private WordCodec<Object> word() {
    return (WordCodec<Object>) codec();
  }

  /** The bytes of a value. */
  CodecOutput encode(Object value) {
    CodecOutput out = CodecOutput.withCapacity(64);
    codec().write(value, out);
    if (!checked) {
      CodecCheck.bytes(codec(), value, out.array(), out.size(), place);
      checked = !CodecCheck.ALWAYS;
    }
    return out;
  }

  /**
   * Decodes bytes.
   *
   * @param reference to the object, for messages
   * @throws CorruptValueException if the codec does not accept them
   */
  Object decode(long reference, byte[] bytes) {
    Codec<Object> reader = codec();
    return decode(reference, reader, reader.name(), bytes);
  }

  /**
   * Decodes bytes that an earlier version of the class wrote.
   *
   * @param reference to the object, for messages
   * @param type of the field in that version
   * @throws CorruptValueException if the codec does not accept them
   */
  Object decode(long reference, byte[] bytes, String type) {
    Codec<Object> reader = earlier.get(type);
    if (reader == null) {
      throw new IllegalStateException(
          "another version of the program changed the type of the field "
              + name
              + " to "
              + type
              + " since the heap was opened");
    }
    return decode(reference, reader, type, bytes);
  }

  private Object decode(long reference, Codec<Object> reader, String type, byte[] bytes) {
    CodecInput in = new CodecInput(bytes);
    try {
      Object value = reader.read(in);
      in.expectEnd();
      return value;
    } catch (RuntimeException | LinkageError e) {
      throw DecodeFailure.of(place(reference), type, e);
    }
  }

  private Codec<Object> codec() {
    Codec<Object> known = codec;
    if (known == null) {
      throw new IllegalStateException("the field " + name + " has no codec");
    }
    return known;
  }
}
