package io.everheap.block.store;

import io.everheap.engine.HeapContext;
import java.util.UUID;

/**
 * Converts references of one heap to handles, the numbers that programs keep, and back. A handle is
 * the reference times an odd factor derived from the heap's uuid, modulo 2^64. The mapping is a
 * bijection, stays the same whenever and wherever the heap is opened, and maps the null reference
 * to 0.
 *
 * <p>So a handle of another heap is a number unrelated to the blocks of this one. It names a block
 * by chance with a probability of at most the heap's size in bytes divided by 2^68: 1 in 2^34 for
 * 16 GiB. There are 2^(63-s) numbers with <em>s</em> trailing zeros, which multiplication keeps,
 * and at most size / 2^(5+s) such places in the heap.
 *
 * <p>Immutable.
 */
public final class Handles {
  private static final UUID UNKNOWN = new UUID(0, 0);

  private final long factor;
  private final long inverse;

  private Handles(long factor) {
    this.factor = factor;
    this.inverse = inverse(factor);
  }

  /** Returns the handles of a heap. */
  public static Handles of(HeapContext heap) {
    return of(heap.uuid());
  }

  /** Returns the handles of the heap with a uuid. */
  public static Handles of(UUID heap) {
    return new Handles(isKnown(heap) ? factor(heap) : 1);
  }

  /** Whether a heap has a uuid. A damaged heap may have lost it; its handles are references. */
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

  /** The inverse modulo 2^64: Newton's iteration doubles the number of correct bits. */
  private static long inverse(long odd) {
    long x = odd; // three bits are correct
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      x *= 2 - odd * x;
    }
    return x;
  }

  /** Returns the handle of a block. */
  public long handle(long reference) {
    return reference * factor;
  }

  /** Returns the reference of a handle; for any other number, one that leads to no block. */
  public long reference(long handle) {
    return handle * inverse;
  }
}
