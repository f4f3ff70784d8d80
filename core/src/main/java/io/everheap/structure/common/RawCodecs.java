package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Codecs that pass stored keys and values through as they are, under the name of the codec that
 * made them: for tools that copy entries without decoding them.
 */
public final class RawCodecs {
  private static final int MOST_TEXT = 64;

  private RawCodecs() {}

  /**
   * A codec of this name.
   *
   * @param name of the codec that encoded the values
   * @param words whether they are words: then a value is a {@code Long}, else a {@code byte[]}
   */
  public static Codec<Object> of(String name, boolean words) {
    return words ? new Words(name) : new Bytes(name);
  }

  /**
   * A raw value as text.
   *
   * @param name of the codec that encoded it, if it is one of the library's
   */
  public static String text(String name, Object raw) {
    Codec<Object> codec = known(name);
    Object value = codec == null ? null : decode(codec, raw);
    return value == null || value.getClass().isArray() ? text(raw) : value.toString();
  }

  /** The codec of this name, if it is one of the library's; else null. */
  public static @Nullable Codec<Object> known(String name) {
    try {
      return DescribedCodecs.of(name);
    } catch (RuntimeException e) {
      return null; // the name may be damaged in any way
    }
  }

  /** The value that a raw one encodes; null if it does not decode. */
  public static @Nullable Object decode(Codec<Object> codec, Object raw) {
    try {
      return raw instanceof Long word && codec instanceof WordCodec<Object> words
          ? words.fromWord(word)
          : codec.read(new CodecInput((byte[]) raw));
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** A raw value for messages, in hexadecimal. */
  public static String text(Object raw) {
    if (raw instanceof byte[] bytes) {
      int shown = Math.min(bytes.length, MOST_TEXT / 2);
      return "0x"
          + HexFormat.of().formatHex(bytes, 0, shown)
          + (shown < bytes.length ? "... (" + bytes.length + " bytes)" : "");
    }
    return String.valueOf(raw);
  }

  /** The raw form of what the map loaded. */
  public static Object raw(Encoded encoded) {
    byte[] bytes = encoded.bytes;
    if (bytes == null) {
      return encoded.word;
    }
    return bytes;
  }

  private record Words(String name) implements WordCodec<Object> {
    @Override
    public long toWord(Object value) {
      return (Long) value;
    }

    @Override
    public Object fromWord(long word) {
      return word;
    }
  }

  private record Bytes(String name) implements Codec<Object> {
    @Override
    public void write(Object value, CodecOutput out) {
      byte[] bytes = (byte[]) value;
      out.writeBytes(bytes, 0, bytes.length);
    }

    @Override
    public Object read(CodecInput in) {
      return in.readBytes(in.remaining());
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }
}
