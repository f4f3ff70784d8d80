package io.everheap.testkit.machine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A running hash of 64 bits: fast, well mixed, not collision-resistant against an adversary. For
 * one thread.
 */
public final class Hash {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long value = 0x9E3779B97F4A7C15L;

  void add(long word) {
    value = mixed(value, word);
  }

  private static long mixed(long value, long word) {
    long mixed = (Long.rotateLeft(value, 29) ^ word) * 0xD6E8FEB86659FD93L;
    return mixed ^ mixed >>> 32;
  }

  private static long word(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /**
   * Adds bytes, a multiple of 8; in four hashes side by side, since each waits for its last one.
   */
  void add(byte[] bytes) {
    long a = value;
    long b = ~a;
    long c = Long.reverse(a);
    long d = ~c;
    int i = 0;
    for (; i + 32 <= bytes.length; i += 32) {
      a = mixed(a, word(bytes, i));
      b = mixed(b, word(bytes, i + 8));
      c = mixed(c, word(bytes, i + 16));
      d = mixed(d, word(bytes, i + 24));
    }
    for (; i < bytes.length; i += 8) {
      a = mixed(a, word(bytes, i));
    }
    value = mixed(mixed(mixed(a, b), c), d);
  }

  long value() {
    return value;
  }
}
