package io.everheap.backup;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of a backup's file. It is written from its start to its end, so it can be made and
 * read as a stream.
 *
 * <pre>
 *   0  magic                     u64       says what was backed up
 *   8  version                   u32 | kind u32   0 full, 1 incremental
 *  16  uuid of the origin        2 x u64   the heap or the journal
 *  32  uuid of the backup        2 x u64
 *  48  uuid of its base          2 x u64   zero if it is full
 *  64  time                      u64       milliseconds since 1970
 *  72  CRC32C of bytes 0 to 71   u32 | zero
 *  80  sections, each:
 *      kind                      u32
 *      CRC32C of the section     u32       without these four bytes; of the last one: and of the
 *                                          CRC32C of the header, so that both are of one backup
 *      number, count, length     3 x u64
 *      data                      length bytes
 * </pre>
 *
 * The last section has the kind {@link #END} and a fixed length; its number says up to where the
 * origin is in the backup, and its data ends with the number of sections.
 */
public final class SectionLayout {
  /** Size of the header. */
  public static final int HEADER = 80;

  static final int HEADER_CRC = 72;

  /** Kind of the last section. */
  public static final int END = 5;

  /** Kind of a section that fills the file up to a whole block; its data means nothing. */
  static final int PADDING = 15;

  /** Size of the head of a section. */
  public static final int HEAD = 32;

  /** Maximum size of a section's data. */
  public static final int MAX_LENGTH = (1 << 20) + (1 << 12);

  static final int CRC = 4;
  static final int NUMBER = 8;
  static final int COUNT = 16;
  static final int LENGTH = 24;

  private SectionLayout() {}

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The CRC of a section of this size at the start of a buffer.
   *
   * @param header CRC of the header
   */
  static int crc(ByteBuffer section, int size, int header) {
    CRC32C crc = ofSection(section, size);
    if (section.getInt(0) == END) {
      crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.reverseBytes(header)));
    }
    return (int) crc.getValue();
  }

  /** Whether a section at the start of a buffer has its CRC; early builds left out the header. */
  static boolean matches(ByteBuffer section, int size, int header) {
    int stored = section.getInt(CRC);
    return stored == crc(section, size, header)
        || stored == (int) ofSection(section, size).getValue();
  }

  private static CRC32C ofSection(ByteBuffer section, int size) {
    CRC32C crc = new CRC32C();
    crc.update(section.slice(0, CRC));
    crc.update(section.slice(NUMBER, size - NUMBER));
    return crc;
  }

  static int headerCrc(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, HEADER_CRC));
    return (int) crc.getValue();
  }
}
