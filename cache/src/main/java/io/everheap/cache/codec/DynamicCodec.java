package io.everheap.cache.codec;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.error.CorruptValueException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values of any class: a byte that tells which of the most usual types it is, and its bytes by the
 * built-in codec; or 0 and what Java's serialization makes of it, in which records need not be
 * {@link Serializable}. Thread-safe.
 */
final class DynamicCodec<T> implements Codec<T> {
  private static final int SERIALIZED = 0;

  /** A type that has a byte of its own. */
  private record Known(Class<?> type, Codec<?> codec) {}

  /** The byte of a type is its position, from 1 on. */
  private static final List<Known> KNOWN =
      List.of(
          new Known(String.class, Codecs.STRING),
          new Known(Long.class, Codecs.LONG),
          new Known(Integer.class, Codecs.INT),
          new Known(Short.class, Codecs.SHORT),
          new Known(Byte.class, Codecs.BYTE),
          new Known(Character.class, Codecs.CHAR),
          new Known(Boolean.class, Codecs.BOOLEAN),
          new Known(Float.class, Codecs.FLOAT),
          new Known(Double.class, Codecs.DOUBLE),
          new Known(java.util.UUID.class, Codecs.UUID),
          new Known(byte[].class, Codecs.BYTES),
          new Known(java.math.BigInteger.class, Codecs.BIG_INTEGER),
          new Known(java.math.BigDecimal.class, Codecs.BIG_DECIMAL),
          new Known(java.time.Instant.class, Codecs.INSTANT),
          new Known(java.time.Duration.class, Codecs.DURATION),
          new Known(java.time.LocalDate.class, Codecs.LOCAL_DATE),
          new Known(java.time.LocalTime.class, Codecs.LOCAL_TIME),
          new Known(java.time.LocalDateTime.class, Codecs.LOCAL_DATE_TIME));

  private static final Map<Class<?>, Integer> TAGS = new HashMap<>();

  static {
    for (int i = 0; i < KNOWN.size(); i++) {
      TAGS.put(KNOWN.get(i).type(), i + 1);
    }
  }

  private final Class<T> type;
  private final ClassLoader loader;
  private final SerialFilter filter;

  DynamicCodec(Class<T> type, ClassLoader loader, SerialFilter filter) {
    this.type = type;
    this.loader = loader;
    this.filter = filter;
  }

  @Override
  public String name() {
    return name(type);
  }

  /** The name of a codec of a type, for keys and for values. */
  static String name(Class<?> type) {
    return "dynamic:" + type.getName();
  }

  @Override
  public void write(T value, CodecOutput out) {
    if (!writeKnown(value, out)) {
      out.writeByte(SERIALIZED);
      byte[] bytes = serialize(value, filter);
      out.writeBytes(bytes, 0, bytes.length);
    }
  }

  /** Writes a value of one of the most usual types; returns false for one of another type. */
  static boolean writeKnown(Object value, CodecOutput out) {
    Integer tag = TAGS.get(value.getClass());
    if (tag != null) {
      out.writeByte(tag);
      writeKnown(KNOWN.get(tag - 1).codec(), value, out);
    }
    return tag != null;
  }

  @SuppressWarnings("unchecked") // the codec is that of the value's class
  private static <S> void writeKnown(Codec<S> codec, Object value, CodecOutput out) {
    codec.write((S) value, out);
  }

  static IllegalArgumentException notSerializable(Object value) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s has no codec and is not Serializable: give the cache a codec for it",
            value.getClass().getName()));
  }

  private static byte[] serialize(Object value, SerialFilter filter) {
    if (!(value instanceof Serializable) && !StoredRecord.applies(value)) {
      throw notSerializable(value);
    }
    var bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new SharingOutput(bytes, filter)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serialize a " + value.getClass().getName(), e);
    }
    return bytes.toByteArray();
  }

  @Override
  public T read(CodecInput in) {
    int tag = in.readByte();
    Object value;
    if (tag != SERIALIZED) {
      value = readKnown(tag, in);
    } else {
      byte[] bytes = in.readBytes(in.remaining());
      value =
          LoaderInput.read(
              type,
              () ->
                  new LoaderInput(
                      new ByteArrayInputStream(bytes), loader, filter.reading(bytes.length)));
    }
    return checked(value);
  }

  /** Reads a value of one of the most usual types. */
  static Object readKnown(int tag, CodecInput in) {
    if (tag < 1 || tag > KNOWN.size()) {
      throw in.corrupt("found the type " + tag);
    }
    return KNOWN.get(tag - 1).codec().read(in);
  }

  private T checked(@Nullable Object value) {
    if (!type.isInstance(value)) {
      throw new CorruptValueException("found a value that is no " + type.getName());
    }
    return type.cast(value);
  }

  /** Equal values of other classes, such as lists, have other bytes. */
  @Override
  public boolean canonical() {
    return false;
  }

  @Override
  public String toString() {
    return name();
  }
}
