package io.everheap.codec;

/**
 * Bytes that are ordered as the numbers and texts are that they stand for, for use in an {@link
 * OrderedCodec}. All have a fixed length, but for texts, which only the last part of a value can
 * be.
 */
public final class OrderedBytes {
  private OrderedBytes() {}

  /** Appends 4 bytes. */
  public static void writeInt(int value, CodecOutput out) {
    out.writeInt(Integer.reverseBytes(value ^ Integer.MIN_VALUE));
  }

  /** Takes what {@link #writeInt} appended. */
  public static int readInt(CodecInput in) {
    return Integer.reverseBytes(in.readInt()) ^ Integer.MIN_VALUE;
  }

  /** Appends 8 bytes. */
  public static void writeLong(long value, CodecOutput out) {
    out.writeLong(Long.reverseBytes(value ^ Long.MIN_VALUE));
  }

  /** Takes what {@link #writeLong} appended. */
  public static long readLong(CodecInput in) {
    return Long.reverseBytes(in.readLong()) ^ Long.MIN_VALUE;
  }

  /** Appends 8 bytes that are ordered as {@link Double#compare} orders; all NaN are one value. */
  public static void writeDouble(double value, CodecOutput out) {
    long bits = Double.doubleToLongBits(value);
    out.writeLong(Long.reverseBytes(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE));
  }

  /** Takes what {@link #writeDouble} appended. */
  public static double readDouble(CodecInput in) {
    long word = Long.reverseBytes(in.readLong());
    return Double.longBitsToDouble(word < 0 ? word ^ Long.MIN_VALUE : ~word);
  }

  /** Appends a text, ordered as {@code String.compareTo} orders, single surrogates included. */
  public static void writeText(String text, CodecOutput out) {
    OrderedText.write(text, out);
  }

  /** Takes a text, which all the bytes are that are left. */
  public static String readText(CodecInput in) {
    return OrderedText.read(in);
  }
}
