package io.everheap.support.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Makes checksums of mutated bytes right. */
public final class Checksums {
  private Checksums() {}

  /**
   * Stores the CRC32C of bytes after them, little-endian; does nothing if it would be outside.
   *
   * @param bytes that are changed
   * @param from the first byte that counts
   * @param to where the CRC is stored
   */
  public static void crc32c(byte[] bytes, int from, int to) {
    if (bytes.length >= to + Integer.BYTES) {
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(to, of(bytes, from, to));
    }
  }

  /**
   * Computes the CRC32C of bytes.
   *
   * @param bytes the bytes
   * @param from the first byte that counts
   * @param to their end
   * @return the CRC
   */
  public static int of(byte[] bytes, int from, int to) {
    var crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }
}
