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
 * @param key id of the data key, from the file of keys
 * @param file id of the file
 */
record FileHeader(FileId key, FileId file) {
  /** "EVSEALED", little-endian. */
  static final long MAGIC = 0x4445_4C41_4553_5645L;

  /** Version of the layout of encrypted files. */
  static final int VERSION = 1;

  /** Bytes of a header that are not zero. */
  static final int SIZE = 52;

  private static final int CRC = 48;

  ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocateDirect(SealedLayout.HEADER).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, VERSION);
    b.putLong(16, key.high()).putLong(24, key.low());
    b.putLong(32, file.high()).putLong(40, file.low());
    return b.putInt(CRC, crc(b));
  }

  /** Decodes a header of this version; null if it is another one or damaged. */
  static @Nullable FileHeader decode(ByteBuffer b) {
    if (b.getLong(0) != MAGIC || b.getInt(8) != VERSION || b.getInt(CRC) != crc(b)) {
      return null;
    }
    return new FileHeader(
        new FileId(b.getLong(16), b.getLong(24)), new FileId(b.getLong(32), b.getLong(40)));
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, CRC));
    return (int) crc.getValue();
  }
}
