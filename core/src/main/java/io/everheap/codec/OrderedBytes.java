package io.everheap.codec;

import io.everheap.stability.Stable;

/**
 * Encodings of numbers and texts whose bytes have the order of the values, for an {@link
 * OrderedCodec}. Numbers have a fixed length. A text is read to the end of the input, so it can
 * only be the last part of a value.
 *
 * @since 0.9
 */
@Stable
public final class OrderedBytes {
  private OrderedBytes() {}

  /** Appends 4 bytes. */
  public static void writeInt(int value, CodecOutput out) {
    out.writeInt(Integer.reverseBytes(value ^ Integer.MIN_VALUE));
  }

  /** Reads what {@link #writeInt} appended. */
  public static int readInt(CodecInput in) {
    return Integer.reverseBytes(in.readInt()) ^ Integer.MIN_VALUE;
  }

  /** Appends 8 bytes. */
  public static void writeLong(long value, CodecOutput out) {
    out.writeLong(Long.reverseBytes(value ^ Long.MIN_VALUE));
  }

  /** Reads what {@link #writeLong} appended. */
  public static long readLong(CodecInput in) {
    return Long.reverseBytes(in.readLong()) ^ Long.MIN_VALUE;
  }

  /** Appends 8 bytes that are ordered as {@link Double#compare} orders; all NaN are one value. */
  public static void writeDouble(double value, CodecOutput out) {
    long bits = Double.doubleToLongBits(value);
    out.writeLong(Long.reverseBytes(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE));
  }

  /** Reads what {@link #writeDouble} appended. */
  public static double readDouble(CodecInput in) {
    long word = Long.reverseBytes(in.readLong());
    return Double.longBitsToDouble(word < 0 ? word ^ Long.MIN_VALUE : ~word);
  }

  /** Appends a text, ordered as {@code String.compareTo} orders, single surrogates included. */
  public static void writeText(String text, CodecOutput out) {
    OrderedText.write(text, out);
  }

  /** Reads the rest of the input as a text. */
  public static String readText(CodecInput in) {
    return OrderedText.read(in);
  }
}
