package io.everheap.benchmarks.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What values hold, and how they are read. The first word of a value is its key, the others are 0,
 * so that the sum of a word of each cache line is the key, wherever the value is.
 */
public final class Words {
  private static final int LINE = 64;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  /** The value of a key. */
  static byte[] value(long key, int bytes) {
    byte[] value = new byte[bytes];
    LONG.set(value, 0, key);
    return value;
  }

  /**
   * Reads a value.
   *
   * @param value in the Java heap
   * @return the sum of a word of each cache line
   */
  public static long sum(byte[] value) {
    long sum = 0;
    for (int i = 0; i + Long.BYTES <= value.length; i += LINE) {
      sum += (long) LONG.get(value, i);
    }
    return sum;
  }

  /**
   * Reads a value.
   *
   * @param value in any memory
   * @return the sum of a word of each cache line
   */
  public static long sum(MemorySegment value) {
    long sum = 0;
    long end = value.byteSize() - Long.BYTES;
    for (long i = 0; i <= end; i += LINE) {
      sum += value.get(WORD, i);
    }
    return sum;
  }

  /**
   * Reads a value.
   *
   * @param value in any memory, in the order of bytes that values have
   * @return the sum of a word of each cache line
   */
  public static long sum(ByteBuffer value) {
    ByteBuffer words = value.order(ByteOrder.LITTLE_ENDIAN);
    long sum = 0;
    int end = words.limit() - Long.BYTES;
    for (int i = words.position(); i <= end; i += LINE) {
      sum += words.getLong(i);
    }
    return sum;
  }

  /**
   * Encodes a key.
   *
   * @param key the key
   * @return eight bytes
   */
  public static byte[] key(long key) {
    byte[] bytes = new byte[Long.BYTES];
    LONG.set(bytes, 0, key);
    return bytes;
  }
}
