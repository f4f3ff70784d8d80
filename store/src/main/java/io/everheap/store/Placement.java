package io.everheap.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Which shard a key belongs to: its hash selects one of {@link #SLOTS} slots, and jump consistent
 * hashing places the slots on the shards. So shards that are added take slots of all others, and
 * nothing moves between two shards that stay. Immutable.
 */
final class Placement {
  /** Number of slots; part of the format. */
  static final int SLOTS = 4096;

  private static final int SLOT_SHIFT = Long.SIZE - 12;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int from;
  private final int to;
  private final short[] sources;
  private final short[] targets;

  /**
   * Creates a placement.
   *
   * @param from number of shards before the change
   * @param to number of shards after the change; the same if nothing moves
   */
  Placement(int from, int to) {
    this.from = from;
    this.to = to;
    this.sources = table(from);
    this.targets = from == to ? sources : table(to);
  }

  private static short[] table(int shards) {
    short[] table = new short[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++) {
      table[slot] = (short) jump(mix(slot + 1), shards);
    }
    return table;
  }

  /** Whether keys move. */
  boolean moving() {
    return from != to;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** Number of shards that can hold keys. */
  int shards() {
    return Math.max(from, to);
  }

  /** Where the keys of a slot were before the change. */
  int source(int slot) {
    return sources[slot];
  }

  /** Where the keys of a slot belong. */
  int target(int slot) {
    return targets[slot];
  }

  /** The slot of an encoded key; part of the format. */
  static int slot(byte[] key) {
    return (int) (hash(key) >>> SLOT_SHIFT);
  }

  /** A hash of 64 bits: each word is mixed in by multiplication; part of the format. */
  static long hash(byte[] key) {
    long hash = 0x9E37_79B9_7F4A_7C15L ^ key.length;
    int at = 0;
    for (; at <= key.length - Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONG.get(key, at));
    }
    long rest = 0;
    for (int shift = 0; at < key.length; at++, shift += Byte.SIZE) {
      rest |= (key[at] & 0xFFL) << shift;
    }
    return mix(hash ^ rest);
  }

  /** The finalizer of SplitMix64: a permutation in which each bit depends on all. */
  private static long mix(long value) {
    long z = value + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }

  /** Lamping and Veach, A Fast, Minimal Memory, Consistent Hash Algorithm, 2014. */
  private static int jump(long hash, int shards) {
    long state = hash;
    long last = -1;
    long next = 0;
    while (next < shards) {
      last = next;
      state = state * 2862933555777941757L + 1;
      next = (long) ((last + 1) * ((double) (1L << 31) / (double) ((state >>> 33) + 1)));
    }
    return (int) last;
  }
}
