package io.everheap.support;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The seed of a run's random choices. It follows from the sources, so two runs of one commit choose
 * the same: {@code -Deverheap.crash.seed=N} sets it; otherwise it is computed from {@code
 * -Deverheap.selection=TEXT}, which the launcher sets to the commit or to a hash of changed
 * sources, and is 1 without either.
 */
public final class Seeds {
  private static final long SEED = choose();

  private Seeds() {}

  /**
   * Returns the seed of this run.
   *
   * @return the seed
   */
  public static long seed() {
    return SEED;
  }

  private static long choose() {
    String seed = System.getProperty("everheap.crash.seed");
    if (seed != null) {
      return Long.parseLong(seed);
    }
    String selection = System.getProperty("everheap.selection", "");
    if (selection.isEmpty()) {
      return 1;
    }
    var crc = new CRC32();
    crc.update(selection.getBytes(StandardCharsets.UTF_8));
    return 1 + crc.getValue() % 1_000_000_000; // short enough to be typed
  }
}
