package io.everheap.memory.crypt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of an encrypted file, which is not encrypted: it only says which keys to use, and a
 * wrong one makes every sector unreadable.
 *
 * <pre>
 *   0       8         12      16       32        48    52
 *   +-------+---------+-------+--------+---------+-----+---------------
 *   | magic | version | zeros | key id | file id | crc | zeros to 4096
 *   +-------+---------+-------+--------+---------+-----+---------------
 * </pre>
 *
 * @param version of the layout: {@link #PLAIN_ENTRIES} or {@link #KEYED_ENTRIES}
 * @param key id of the data key, from the file of keys
 * @param file id of the file
 */
record FileHeader(int version, FileId key, FileId file) {
  /** "EVSEALED", little-endian. */
  static final long MAGIC = 0x4445_4C41_4553_5645L;

  /**
   * The first version. Files without pages of a heap have it, and heaps that earlier builds made,
   * whose pages have checksums without a key.
   */
  static final int PLAIN_ENTRIES = 1;

  /** The version of the files of a heap's pages, if each page has a digest with a key. */
  static final int KEYED_ENTRIES = 2;

  /** Bytes of a header that are not zero. */
  static final int SIZE = 52;

  private static final int CRC = 48;

  ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocateDirect(SealedLayout.HEADER).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, version);
    b.putLong(16, key.high()).putLong(24, key.low());
    b.putLong(32, file.high()).putLong(40, file.low());
    return b.putInt(CRC, crc(b));
  }

  /** Decodes a header of a version that is read; null if it is another one or damaged. */
  static @Nullable FileHeader decode(ByteBuffer b) {
    int version = b.getInt(8);
    boolean known = version == PLAIN_ENTRIES || version == KEYED_ENTRIES;
    if (b.getLong(0) != MAGIC || !known || b.getInt(CRC) != crc(b)) {
      return null;
    }
    return new FileHeader(
        version,
        new FileId(b.getLong(16), b.getLong(24)),
        new FileId(b.getLong(32), b.getLong(40)));
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, CRC));
    return (int) crc.getValue();
  }
}
