package io.everheap.codec;

import io.everheap.error.TooLargeException;
import io.everheap.stability.Stable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A growing buffer that codecs append to, little-endian. It can be used again after {@link #reset}.
 * Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class CodecOutput {
  /** The most bytes that a value can have: what every JVM can put into one array. */
  public static final int MAX_SIZE = Integer.MAX_VALUE - 16;

  /**
   * The most levels of records, collections and optional values that a value can have: few enough
   * that a thread with a smaller stack can read what another thread wrote.
   */
  public static final int MAX_NESTING = 500;

  private static final int INITIAL_CAPACITY = 256;

  /** {@link #reset} drops a larger buffer, so that one large value does not keep its memory. */
  private static final int KEPT_CAPACITY = 16 << 20;

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle CHAR = view(char[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private final int limit;
  private byte[] bytes;
  private int size;
  private int depth;

  /** Whether the bytes are only compared with stored ones. */
  private boolean toFind;

  /** Creates an empty output that takes up to {@link #MAX_SIZE} bytes. */
  public CodecOutput() {
    this(MAX_SIZE);
  }

  /**
   * Creates an empty output.
   *
   * @param limit the most bytes that it takes, up to {@link #MAX_SIZE}
   */
  public CodecOutput(int limit) {
    if (limit < 0 || limit > MAX_SIZE) {
      throw new IllegalArgumentException("limit " + limit + " is not in 0.." + MAX_SIZE);
    }
    this.limit = limit;
    this.bytes = new byte[INITIAL_CAPACITY];
  }

  private CodecOutput(byte[] bytes) {
    this.limit = MAX_SIZE;
    this.bytes = bytes;
  }

  /**
   * Creates an empty output that takes up to {@link #MAX_SIZE} bytes, for a value of known size.
   *
   * @param bytes that fit without growing
   * @return a new output
   */
  public static CodecOutput withCapacity(int bytes) {
    return new CodecOutput(new byte[bytes]);
  }

  /**
   * Creates an empty output for bytes that are compared with stored ones and never stored.
   *
   * @return a new output
   */
  public static CodecOutput toFind() {
    CodecOutput out = new CodecOutput();
    out.toFind = true;
    return out;
  }

  /**
   * Tells whether the bytes are never stored. Then references to freed objects are allowed.
   *
   * @return whether {@link #toFind()} created this
   */
  public boolean isToFind() {
    return toFind;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns how much was written.
   *
   * @return the number of bytes since the creation or the last {@link #reset}
   */
  public int size() {
    return size;
  }

  /**
   * Returns the bytes without copying them.
   *
   * @return the array that holds them from index 0 to {@link #size}; replaced by later writes
   */
  public byte[] array() {
    return bytes;
  }

  /**
   * Returns a copy of the bytes.
   *
   * @return an array of {@link #size} bytes
   */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** Discards what was written. */
  public void reset() {
    size = 0;
    depth = 0;
    if (bytes.length > KEPT_CAPACITY) {
      bytes = new byte[INITIAL_CAPACITY];
    }
  }

  /**
   * Appends one byte.
   *
   * @param value whose lowest 8 bits are taken
   */
  public void writeByte(int value) {
    int at = claim(1);
    bytes[at] = (byte) value;
  }

  /**
   * Appends a {@code boolean} as one byte, 0 or 1.
   *
   * @param value to append
   */
  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /**
   * Appends 2 bytes.
   *
   * @param value whose lowest 16 bits are taken
   */
  public void writeShort(int value) {
    int at = claim(2);
    SHORT.set(bytes, at, (short) value);
  }

  /**
   * Appends 4 bytes.
   *
   * @param value to append
   */
  public void writeInt(int value) {
    int at = claim(4);
    INT.set(bytes, at, value);
  }

  /**
   * Appends 8 bytes.
   *
   * @param value to append
   */
  public void writeLong(long value) {
    int at = claim(8);
    LONG.set(bytes, at, value);
  }

  /**
   * Appends 4 bytes, the same ones for every NaN.
   *
   * @param value to append
   */
  public void writeFloat(float value) {
    writeInt(Float.floatToIntBits(value));
  }

  /**
   * Appends 8 bytes, the same ones for every NaN.
   *
   * @param value to append
   */
  public void writeDouble(double value) {
    writeLong(Double.doubleToLongBits(value));
  }

  /**
   * Appends 1 to 5 bytes, fewer for smaller numbers (LEB128).
   *
   * @param value taken as unsigned
   */
  public void writeVarInt(int value) {
    writeVarLong(Integer.toUnsignedLong(value));
  }

  /**
   * Appends 1 to 10 bytes, fewer for smaller numbers (LEB128).
   *
   * @param value taken as unsigned
   */
  public void writeVarLong(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      writeByte((int) rest | 0x80);
      rest >>>= 7;
    }
    writeByte((int) rest);
  }

  /**
   * Appends 1 to 10 bytes, fewer for numbers nearer to zero (zigzag and LEB128).
   *
   * @param value to append
   */
  public void writeZigZag(long value) {
    writeVarLong((value << 1) ^ (value >> 63));
  }

  /**
   * Appends a part of an array, without its length.
   *
   * @param source to copy from
   * @param from index of the first byte
   * @param length number of bytes
   */
  public void writeBytes(byte[] source, int from, int length) {
    Objects.checkFromIndexSize(from, length, source.length);
    int at = claim(length);
    System.arraycopy(source, from, bytes, at, length);
  }

  /**
   * Appends a text of any characters, single surrogates included. Equal texts give equal bytes.
   *
   * @param text to append
   */
  public void writeUtf(String text) {
    TextEncoding.write(text, this);
  }

  /**
   * Enters a level of nesting. The library's codecs count levels themselves; a user's codec of a
   * recursive type calls this so that it fails before the stack overflows.
   *
   * @throws TooLargeException if there are more than {@link #MAX_NESTING}
   */
  public void enter() {
    if (++depth > MAX_NESTING) {
      throw TooLargeException.value(
          "the value is nested more than " + MAX_NESTING + " levels deep; flatten it");
    }
  }

  /** Leaves the level of nesting that was entered last. */
  public void leave() {
    depth--;
  }

  /** Appends the lowest bytes of the characters, all of which are Latin-1. */
  @SuppressWarnings("deprecation") // exactly what is wanted: a copy of bytes, without an array
  void writeLatin1(String text) {
    int length = text.length();
    int at = claim(length);
    text.getBytes(0, length, bytes, at);
  }

  /** Appends the characters, 2 bytes each. */
  void writeUtf16(String text) {
    int length = text.length();
    int at = claim(2L * length);
    for (int i = 0; i < length; i++) {
      CHAR.set(bytes, at + 2 * i, text.charAt(i));
    }
  }

  /** Appends {@code length} bytes for the caller to fill in by bulk copies. */
  ByteBuffer append(long length) {
    int at = claim(length);
    return ByteBuffer.wrap(bytes, at, (int) length).slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  private int claim(long length) {
    int at = size;
    if (length > bytes.length - at || length > limit - at) {
      grow(at + length);
    }
    size = (int) (at + length);
    return at;
  }

  private void grow(long needed) {
    if (needed > limit) {
      throw TooLargeException.value(
          "the value takes more than the limit of " + limit + " bytes; split it");
    }
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(MAX_SIZE, Math.max(needed, Math.max(32, 2L * bytes.length))));
    }
  }
}
