package io.everheap.memory.crypt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian words in arrays of bytes. */
final class Words {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  static void put(byte[] to, int at, long value) {
    LONG.set(to, at, value);
  }

  static long get(byte[] from, int at) {
    return (long) LONG.get(from, at);
  }

  /** Whether a range, whose length is divisible by 8, is zero. */
  static boolean isZero(byte[] from, int at, int length) {
    long any = 0;
    for (int i = at; i < at + length; i += Long.BYTES) {
      any |= get(from, i);
    }
    return any == 0;
  }
}
