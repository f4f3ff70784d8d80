package io.everheap.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.error.CorruptValueException;
import io.everheap.stability.Stable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads values from a range of an array, little-endian. Bytes that no codec wrote lead to a {@link
 * CorruptValueException} and to no other exception: a length is compared with what remains before
 * anything is allocated. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class CodecInput {
  private static final char REPLACEMENT = '\uFFFD';

  /** Composite parts that a value without bytes may have. */
  private static final long FREE_PARTS = 1 << 16;

  private static final long PARTS_OF_A_BYTE = 256;

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle CHAR = view(char[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private byte[] bytes;
  private int start;
  private int position;
  private int end;
  private int depth;
  private long entered;

  /**
   * Reads a whole array.
   *
   * @param array to read; not copied
   */
  public CodecInput(byte[] array) {
    this(array, 0, array.length);
  }

  /**
   * Reads a part of an array.
   *
   * @param array to read; not copied
   * @param from index of the first byte
   * @param to index after the last byte
   */
  public CodecInput(byte[] array, int from, int to) {
    reset(array, from, to);
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads a part of another array from now on.
   *
   * @param array to read; not copied
   * @param from index of the first byte
   * @param to index after the last byte
   */
  public void reset(byte[] array, int from, int to) {
    Objects.checkFromToIndex(from, to, array.length);
    bytes = array;
    start = from;
    position = from;
    end = to;
    depth = 0;
    entered = 0;
  }

  /**
   * Returns how far the input was read.
   *
   * @return the number of bytes read so far
   */
  public int position() {
    return position - start;
  }

  /**
   * Returns how much is left.
   *
   * @return the number of bytes not read yet
   */
  public int remaining() {
    return end - position;
  }

  /**
   * Checks that all bytes were read.
   *
   * @throws CorruptValueException if bytes remain
   */
  public void expectEnd() {
    if (position != end) {
      throw corrupt(remaining() + " bytes follow the end of the value");
    }
  }

  /**
   * Reads one byte.
   *
   * @return its value
   */
  public byte readByte() {
    return bytes[take(1)];
  }

  /**
   * Reads a {@code boolean}.
   *
   * @return its value
   */
  public boolean readBoolean() {
    byte value = readByte();
    if ((value & ~1) != 0) {
      throw corrupt("found the byte " + value + " where 0 or 1 belongs");
    }
    return value != 0;
  }

  /**
   * Reads 2 bytes.
   *
   * @return their value
   */
  public short readShort() {
    return (short) SHORT.get(bytes, take(2));
  }

  /**
   * Reads 4 bytes.
   *
   * @return their value
   */
  public int readInt() {
    return (int) INT.get(bytes, take(4));
  }

  /**
   * Reads 8 bytes.
   *
   * @return their value
   */
  public long readLong() {
    return (long) LONG.get(bytes, take(8));
  }

  /**
   * Reads 4 bytes.
   *
   * @return their value
   */
  public float readFloat() {
    return Float.intBitsToFloat(readInt());
  }

  /**
   * Reads 8 bytes.
   *
   * @return their value
   */
  public double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  /**
   * Reads what {@link CodecOutput#writeVarInt} appended.
   *
   * @return the number, unsigned
   */
  public int readVarInt() {
    long value = readVarLong();
    if (value >>> 32 != 0) {
      throw corrupt("found a number of more than 32 bits");
    }
    return (int) value;
  }

  /**
   * Reads what {@link CodecOutput#writeVarLong} appended.
   *
   * @return the number, unsigned
   */
  public long readVarLong() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = readByte();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        if ((shift > 0 && next == 0) || (shift == 63 && next > 1)) {
          break;
        }
        return value;
      }
    }
    throw corrupt("found a number that is not in its shortest form of at most 64 bits");
  }

  /**
   * Reads what {@link CodecOutput#writeZigZag} appended.
   *
   * @return the number
   */
  public long readZigZag() {
    long value = readVarLong();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * Reads the number of elements that follow, each of at least one byte, as {@link
   * CodecOutput#writeVarInt} appended it.
   *
   * @return the number, at most {@link #remaining()}
   * @throws CorruptValueException if less remains
   */
  public int readLength() {
    long length = Integer.toUnsignedLong(readVarInt());
    if (length > remaining()) {
      throw corrupt("found the length " + length + " where only " + remaining() + " bytes remain");
    }
    return (int) length;
  }

  /**
   * Reads a part of an array.
   *
   * @param target to copy to
   * @param from index of the first byte
   * @param length number of bytes
   */
  public void readBytes(byte[] target, int from, int length) {
    Objects.checkFromIndexSize(from, length, target.length);
    System.arraycopy(bytes, take(length), target, from, length);
  }

  /**
   * Reads some bytes.
   *
   * @param length number of bytes
   * @return them, in a new array
   */
  public byte[] readBytes(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("negative length " + length);
    }
    int at = take(length);
    return Arrays.copyOfRange(bytes, at, at + length);
  }

  /**
   * Reads a text.
   *
   * @return the text
   */
  public String readUtf() {
    return TextEncoding.read(this);
  }

  /**
   * Enters a level of nesting; the counterpart of {@link CodecOutput#enter}.
   *
   * @throws CorruptValueException if there are more than {@link CodecOutput#MAX_NESTING}, or if it
   *     is called far more often than there are bytes: records of records without components take
   *     no bytes, and double with each level
   */
  public void enter() {
    if (++entered > FREE_PARTS + PARTS_OF_A_BYTE * (end - start)) {
      throw corrupt("found more than " + (entered - 1) + " parts");
    }
    if (++depth > CodecOutput.MAX_NESTING) {
      throw corrupt("nested more than " + CodecOutput.MAX_NESTING + " levels deep");
    }
  }

  /** Leaves the level of nesting that was entered last. */
  public void leave() {
    depth--;
  }

  /** Reads bytes without copying them; the caller copies them at once. */
  ByteBuffer slice(int length) {
    return ByteBuffer.wrap(bytes, take(length), length).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads characters of 2 bytes each. */
  String readUtf16(int length) {
    int at = take(length);
    char[] text = new char[length / 2];
    for (int i = 0; i < text.length; i++) {
      text[i] = (char) CHAR.get(bytes, at + 2 * i);
    }
    return new String(text);
  }

  /** Whether no byte that remains has its highest bit set. */
  boolean isAscii() {
    int at = position;
    long bits = 0;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      bits |= (long) LONG.get(bytes, at);
    }
    for (; at < end; at++) {
      bits |= bytes[at]; // of a negative one, all upper bits are set
    }
    return (bits & 0x8080_8080_8080_8080L) == 0;
  }

  /** Reads characters of one byte each. */
  String readLatin1(int length) {
    return new String(bytes, take(length), length, ISO_8859_1);
  }

  /**
   * Reads UTF-8. The decoder puts U+FFFD in place of malformed bytes, so a text that has this
   * character is encoded again and compared.
   */
  String readUtf8(int length) {
    int at = take(length);
    String text = new String(bytes, at, length, UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(UTF_8), Arrays.copyOfRange(bytes, at, at + length))) {
      throw corrupt("found a text of " + length + " bytes that is not UTF-8");
    }
    return text;
  }

  /**
   * Returns the exception for bytes that the reading codec cannot have written.
   *
   * @param what was found: the beginning of the message, which ends with the position
   * @return the exception, for the caller to throw
   */
  public CorruptValueException corrupt(String what) {
    return new CorruptValueException(
        what + ", at byte " + position() + " of " + (end - start) + " of a stored value");
  }

  private int take(int length) {
    int at = position;
    if (length > end - at) {
      throw corrupt("needed " + length + " bytes where only " + (end - at) + " remain");
    }
    position = at + length;
    return at;
  }
}
