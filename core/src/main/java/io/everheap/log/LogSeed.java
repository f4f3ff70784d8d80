package io.everheap.log;

import java.util.UUID;

/**
 * Seeds that make the checksum of a record depend on its log, epoch and position, so that bytes of
 * another log, epoch or position never validate. Stateless.
 */
public final class LogSeed {
  private LogSeed() {}

  /** The key of an epoch of a log, an input of the seeds of its records. */
  public static long key(UUID log, long epoch) {
    return mix(mix(mix(log.getMostSignificantBits()) ^ log.getLeastSignificantBits()) ^ epoch);
  }

  /** The seed for a position; each of its bits depends on all bits of the key and the position. */
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
