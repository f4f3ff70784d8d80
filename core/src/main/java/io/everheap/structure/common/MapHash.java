package io.everheap.structure.common;

import io.everheap.memory.Region;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash function of one map: 64 bits of a word or of bytes, keyed by the map's secret seed so
 * that nobody who chooses keys can choose collisions.
 *
 * <p>Words go through the finalizer of MurmurHash3, a bijection. Bytes are folded 16 at a time by
 * 64x64 to 128-bit multiplication, as in wyhash, with secrets derived from the seed: a factor that
 * an attacker could make zero would wipe out what came before it.
 */
public final class MapHash {
  /** Stands in the map's header; another function gets another number. */
  public static final int VERSION = 1;

  public static final long ALL_BITS = -1L;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long seed;
  private final long secret1;
  private final long secret2;
  private final long mask;

  /**
   * The function for a seed.
   *
   * @param mask the bits that a hash may have: {@link #ALL_BITS}, unless a test wants collisions
   */
  public MapHash(long seed, long mask) {
    this.seed = seed;
    this.secret1 = mix(seed + 0x9E37_79B9_7F4A_7C15L);
    this.secret2 = mix(seed + 0x3C6E_F372_FE94_F82AL);
    this.mask = mask;
  }

  /** The hash of a word. */
  public long ofWord(long word) {
    return mix(word ^ seed) & mask;
  }

  /** The hash of the first {@code length} bytes. */
  public long ofBytes(byte[] bytes, int length) {
    long h = seed;
    int i = 0;
    for (; length - i > 16; i += 16) {
      h = fold((long) WORD.get(bytes, i) ^ secret1, (long) WORD.get(bytes, i + 8) ^ h);
    }
    long a;
    long b = 0;
    if (length - i >= 8) {
      a = (long) WORD.get(bytes, i);
      b = tail(bytes, i + 8, length - i - 8);
    } else {
      a = tail(bytes, i, length - i);
    }
    h = fold(a ^ secret2, b ^ h);
    return mix(h ^ length) & mask;
  }

  /** The hash of bytes in memory, which are followed by bytes up to a multiple of eight. */
  long ofBytes(Region memory, long at, int length) {
    long h = seed;
    int i = 0;
    for (; length - i > 16; i += 16) {
      h = fold(memory.getLong(at + i) ^ secret1, memory.getLong(at + i + 8) ^ h);
    }
    long a = tail(memory, at + i, Math.min(8, length - i));
    long b = tail(memory, at + i + 8, length - i - 8);
    h = fold(a ^ secret2, b ^ h);
    return mix(h ^ length) & mask;
  }

  private static long tail(Region memory, long at, int length) {
    return length <= 0 ? 0 : memory.getLong(at) & -1L >>> (8 - length << 3);
  }

  /** Eight bytes as a word. */
  public static long word(byte[] bytes, int at) {
    return (long) WORD.get(bytes, at);
  }

  /** The last up to eight bytes, in the low end of a word. */
  public static long tail(byte[] bytes, int at, int length) {
    if (length == 8) {
      return (long) WORD.get(bytes, at);
    }
    long word = 0;
    for (int i = 0; i < length; i++) {
      word |= (bytes[at + i] & 0xffL) << (i << 3);
    }
    return word;
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }

  private static long mix(long x) {
    x ^= x >>> 33;
    x *= 0xFF51_AFD7_ED55_8CCDL;
    x ^= x >>> 33;
    x *= 0xC4CE_B9FE_1A85_EC53L;
    return x ^ x >>> 33;
  }
}
