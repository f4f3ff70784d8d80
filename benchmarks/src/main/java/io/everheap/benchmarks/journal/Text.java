package io.everheap.benchmarks.journal;

import java.nio.charset.StandardCharsets;

/** The records of the experiment. */
public final class Text {
  /** More bytes than any of them has. */
  public static final int MOST = 64;

  private Text() {}

  /**
   * Makes a record.
   *
   * @param i its number
   * @return its bytes
   */
  public static byte[] record(long i) {
    return ("This is the " + i + "th string appended").getBytes(StandardCharsets.ISO_8859_1);
  }
}
