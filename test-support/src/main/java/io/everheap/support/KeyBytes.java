package io.everheap.support;

import java.util.Arrays;

/** Wrapping keys of tests. */
public final class KeyBytes {
  private KeyBytes() {}

  /**
   * Returns a key of 32 equal bytes.
   *
   * @param value of each byte
   * @return a new array
   */
  public static byte[] of(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
