package io.everheap.engine.tx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Versions that optimistic readers validate (sequence locks): the version of a stripe is odd while
 * a commit stores to the words that the stripe guards, and a higher even number afterwards. Kept in
 * memory only. Thread-safe; {@link #open} and {@link #close} are for the writer.
 *
 * <p>The order on both sides follows Boehm, "Can Seqlocks Get Along With Programming Language
 * Memory Models?" (MSPC 2012): a reader samples with acquire, loads, fences loads, and compares.
 */
public final class Stripes {
  /** Number of stripes; a power of two. */
  public static final int COUNT = 8192;

  /** The stripe of words that only writers load. */
  public static final int NONE = -1;

  private static final VarHandle VERSION = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SEQUENCE = COUNT + 8; // on a cache line of its own

  private final long[] versions = new long[COUNT + 16];
  private final int mask;

  /** Creates the stripes of a heap that this process writes. */
  public Stripes() {
    this(false);
  }

  /**
   * Creates stripes.
   *
   * @param shared whether all have one version that each commit changes: on a replica, a commit
   *     does not know which stripes its stores touch
   */
  Stripes(boolean shared) {
    mask = shared ? 0 : COUNT - 1;
  }

  /** The version of a stripe; odd while a commit is being applied to it. */
  public long sample(int stripe) {
    return (long) VERSION.getAcquire(versions, stripe & mask);
  }

  /** Whether nothing was applied to the stripe since {@code version} was sampled. */
  public boolean valid(int stripe, long version) {
    VarHandle.loadLoadFence();
    return (long) VERSION.getOpaque(versions, stripe & mask) == version;
  }

  /** The number of commits applied so far, twice; odd while one is being applied. */
  public long sequence() {
    return (long) VERSION.getAcquire(versions, SEQUENCE);
  }

  /** Whether no commit was applied since {@code sequence} was sampled. */
  public boolean sequenceValid(long sequence) {
    VarHandle.loadLoadFence();
    return (long) VERSION.getOpaque(versions, SEQUENCE) == sequence;
  }

  /** Marks the stripes odd; stores of the commit follow. Writer only. */
  void open(int[] stripes, int count) {
    long[] v = versions;
    VERSION.setOpaque(v, SEQUENCE, v[SEQUENCE] + 1);
    if (mask == 0) {
      VERSION.setOpaque(v, 0, v[0] + 1);
    } else {
      for (int i = 0; i < count; i++) {
        VERSION.setOpaque(v, stripes[i], v[stripes[i]] + 1);
      }
    }
    VarHandle.storeStoreFence();
  }

  /** Marks the stripes even again; stores of the commit precede. Writer only. */
  void close(int[] stripes, int count) {
    long[] v = versions;
    if (mask == 0) {
      VERSION.setRelease(v, 0, v[0] + 1);
    } else {
      for (int i = 0; i < count; i++) {
        VERSION.setRelease(v, stripes[i], v[stripes[i]] + 1);
      }
    }
    VERSION.setRelease(v, SEQUENCE, v[SEQUENCE] + 1);
  }
}
