package io.everheap.cache.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers whose bits depend on all bits of their input. */
public final class Mix {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long P0 = 0xA076_1D64_78BD_642FL;
  private static final long P1 = 0xE703_7ED1_A0B4_28DBL;

  private Mix() {}

  /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom numbers). */
  public static long mix(long z) {
    z += 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }

  /** A hash of bytes, after wyhash (Wang Yi): folded products of 8 bytes each. */
  public static long hash(byte[] bytes, long seed) {
    long h = seed ^ P0;
    int i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
      h = fold(h ^ (long) LONG.get(bytes, i), P1);
    }
    long rest = 0;
    for (; i < bytes.length; i++) {
      rest = rest << 8 | (bytes[i] & 0xFF);
    }
    return mix(fold(h ^ rest, P0 ^ bytes.length));
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
