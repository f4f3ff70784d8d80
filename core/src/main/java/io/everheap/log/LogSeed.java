package io.everheap.log;

import java.util.UUID;

/**
 * What makes the checksums of a log's records depend on where they stand, so that bytes of another
 * log, epoch or position never validate.
 */
public final class LogSeed {
  private LogSeed() {}

  /** What distinguishes the records of one epoch of one log from all others; input of the seed. */
  public static long key(UUID log, long epoch) {
    return mix(mix(mix(log.getMostSignificantBits()) ^ log.getLeastSignificantBits()) ^ epoch);
  }

  /** A number for a position, of which each bit depends on all bits of the key and the position. */
  public static int seed(long key, long position) {
    return (int) (mix(key ^ position) >>> 32);
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom numbers). */
  private static long mix(long z) {
    z += 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
