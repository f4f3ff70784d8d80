package io.everheap.memory;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Measures the methods of a durable write on a pre-zeroed temporary file. Stateless. */
final class DurableWriteProbe {
  /** The simplest method is first; a later one is chosen only if it is faster by a margin. */
  private static final DurableWrite[] SIMPLEST_FIRST = {
    DurableWrite.FDATASYNC, DurableWrite.DSYNC, DurableWrite.DIRECT_DSYNC
  };

  /** A method must take less than this share of the time of a simpler one. */
  private static final double MARGIN = 0.9;

  private static final int ROUNDS = 9;
  private static final int BLOCKS = 16;

  /** Prefix of the names of temporary files of probes. */
  static final String PREFIX = "probe-";

  /** Suffix of these names. */
  static final String SUFFIX = ".tmp";

  private DurableWriteProbe() {}

  /** A new name for a temporary file of a probe. */
  static String fileName() {
    return PREFIX + Token.next() + SUFFIX;
  }

  /** Writes to a temporary file of the medium, deletes it, and returns the method to use. */
  static DurableWrite run(Medium medium) {
    String name = fileName();
    try (Arena arena = Arena.ofShared()) {
      ByteBuffer zeros =
          arena.allocate((long) BLOCKS * MediumFile.BLOCK, MediumFile.BLOCK).asByteBuffer();
      try (MediumFile file = medium.create(name)) {
        file.write(zeros.duplicate(), 0);
        file.sync();
      }
      Map<DurableWrite, Long> medians = new EnumMap<>(DurableWrite.class);
      for (DurableWrite how : SIMPLEST_FIRST) {
        try (MediumFile file = medium.openLog(name, how)) {
          if (file.durableWrite() == how) {
            medians.put(how, median(file, zeros.slice(0, MediumFile.BLOCK)));
          }
        }
      }
      return choose(medians);
    } finally {
      medium.delete(name);
    }
  }

  /** Returns the simplest method that no later one beats by the margin. */
  static DurableWrite choose(Map<DurableWrite, Long> nanos) {
    DurableWrite best = DurableWrite.FDATASYNC;
    for (DurableWrite how : SIMPLEST_FIRST) {
      Long time = nanos.get(how);
      Long bestTime = nanos.get(best);
      if (time != null && (bestTime == null || time < bestTime * MARGIN)) {
        best = how;
      }
    }
    return best;
  }

  private static long median(MediumFile file, ByteBuffer block) {
    long[] nanos = new long[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) { // the first write opens the channel and is not counted
      long start = System.nanoTime();
      file.writeDurably(block.duplicate(), (i + 1L) % BLOCKS * MediumFile.BLOCK);
      if (i >= 0) {
        nanos[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanos);
    return nanos[ROUNDS / 2];
  }
}
