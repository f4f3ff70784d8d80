package io.everheap.testkit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A running hash of 64 bits: fast, well mixed, not collision-resistant against an adversary. For
 * one thread.
 */
final class Hash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long value = 0x9E3779B97F4A7C15L;

  void add(long word) {
    value = (Long.rotateLeft(value, 29) ^ word) * 0xD6E8FEB86659FD93L;
    value ^= value >>> 32;
  }

  /** Adds bytes, a multiple of 8. */
  void add(byte[] bytes) {
    for (int i = 0; i < bytes.length; i += 8) {
      add((long) LONGS.get(bytes, i));
    }
  }

  long value() {
    return value;
  }
}
