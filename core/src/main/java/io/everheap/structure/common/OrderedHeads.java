package io.everheap.structure.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Keys of bytes as big-endian words, which are ordered as the bytes are, and by their ends. */
public final class OrderedHeads {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private OrderedHeads() {}

  /** Eight bytes from {@code skip} on, filled up with zeros. */
  public static long head(byte[] key, int length, int skip) {
    if (skip <= length - Long.BYTES) {
      return (long) WORD.get(key, skip);
    }
    long head = 0;
    for (int i = skip; i < length; i++) {
      head |= (key[i] & 0xffL) << (56 - 8 * (i - skip));
    }
    return head;
  }

  /** The bytes of a key of bytes. */
  public static byte[] bytes(Encoded key) {
    byte[] bytes = key.bytes;
    if (bytes == null) {
      throw new IllegalStateException("a word where a key is bytes");
    }
    return bytes;
  }

  public static long head(Encoded key, int skip) {
    return head(bytes(key), key.length, skip);
  }

  /** Number of bytes that two keys begin with in common. */
  public static int common(Encoded a, Encoded b) {
    int mismatch = Arrays.mismatch(bytes(a), 0, a.length, bytes(b), 0, b.length);
    return mismatch < 0 ? a.length : mismatch;
  }

  public static int compare(Encoded a, Encoded b) {
    return Arrays.compareUnsigned(bytes(a), 0, a.length, bytes(b), 0, b.length);
  }
}
