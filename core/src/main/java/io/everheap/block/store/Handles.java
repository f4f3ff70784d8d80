package io.everheap.block;

import io.everheap.engine.HeapContext;
import java.util.UUID;

/**
 * Turns references of one heap into handles, the numbers that programs keep, and back. A handle is
 * the reference times an odd number that the heap's uuid determines, modulo 2^64: one to one, the
 * same whenever and wherever the heap is opened, and 0 for the reference to nothing.
 *
 * <p>So a handle of another heap is a number that has nothing to do with the blocks of this one. It
 * names a block by chance with a probability of at most the heap's size in bytes divided by 2^68: 1
 * in 2^34 for 16 GiB. Of the numbers with <em>s</em> zeros at their low end, which multiplication
 * keeps, there are 2^(63-s), and of the heap's places at most its size / 2^(5+s).
 *
 * <p>For use by the library.
 */
public final class Handles {
  private static final UUID UNKNOWN = new UUID(0, 0);

  private final long factor;
  private final long inverse;

  private Handles(long factor) {
    this.factor = factor;
    this.inverse = inverse(factor);
  }

  /** Those of a heap. */
  public static Handles of(HeapContext heap) {
    return of(heap.uuid());
  }

  static Handles of(UUID heap) {
    return new Handles(isKnown(heap) ? factor(heap) : 1);
  }

  /** Whether a heap has a uuid: a damaged one may have lost it, and then handles are references. */
  public static boolean areKnown(HeapContext heap) {
    return isKnown(heap.uuid());
  }

  private static boolean isKnown(UUID heap) {
    return !heap.equals(UNKNOWN);
  }

  private static long factor(UUID heap) {
    return mixed(mixed(heap.getMostSignificantBits()) ^ heap.getLeastSignificantBits()) | 1;
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood 2014), with the constants of variant 13. */
  private static long mixed(long word) {
    long w = (word ^ (word >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    w = (w ^ (w >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return w ^ (w >>> 31);
  }

  /** Of an odd number, modulo 2^64: Newton's iteration doubles the bits that are right. */
  private static long inverse(long odd) {
    long x = odd; // three bits are right
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      x *= 2 - odd * x;
    }
    return x;
  }

  /** The handle of a block. */
  public long handle(long reference) {
    return reference * factor;
  }

  /** The reference that a handle stands for; of any other number, one that leads to nothing. */
  public long reference(long handle) {
    return handle * inverse;
  }
}
