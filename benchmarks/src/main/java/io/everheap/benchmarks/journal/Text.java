package io.everheap.benchmarks.journal;

import java.nio.charset.StandardCharsets;

/** The records of the experiment. */
final class Text {
  /** More bytes than any of them has. */
  static final int MOST = 64;

  private Text() {}

  /** Makes the i-th record. */
  static byte[] record(long i) {
    return ("This is the " + i + "th string appended").getBytes(StandardCharsets.ISO_8859_1);
  }
}
