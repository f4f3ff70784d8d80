package io.everheap.engine.backup;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of a backup's file. It is written from its start to its end, so it can be made and
 * read as a stream.
 *
 * <pre>
 *   0  magic "EVERBKUP"          u64
 *   8  version                   u32 | kind u32   0 full, 1 incremental
 *  16  heap uuid                 2 x u64
 *  32  backup uuid               2 x u64
 *  48  uuid of its base          2 x u64   zero if it is full
 *  64  time                      u64       milliseconds since 1970
 *  72  CRC32C of bytes 0 to 71   u32 | zero
 *  80  sections, each:
 *      kind                      u32
 *      CRC32C of the section     u32       without these four bytes
 *      number, count, length     3 x u64
 *      data                      length bytes
 *
 *   kind         number              count             data
 *   SUPERBLOCK   0                   0                 the superblock
 *   PAGES        first page          number of pages   the pages
 *   ZEROS        first page          number of pages   none
 *   FILE         position            size of the file  length of the name u16, name, bytes
 *   END          LSN of the end      size of the image LSN of the start, pages, sections: 3 x u64
 * </pre>
 */
final class BackupLayout {
  static final long MAGIC = 0x5055_4B42_5245_5645L; // "EVERBKUP"
  static final int VERSION = 1;
  static final int HEADER = 80;
  static final int HEADER_CRC = 72;

  static final int SUPERBLOCK = 1;
  static final int PAGES = 2;
  static final int ZEROS = 3;
  static final int FILE = 4;
  static final int END = 5;

  /** Size of the head of a section. */
  static final int HEAD = 32;

  static final int CRC = 4;
  static final int NUMBER = 8;
  static final int COUNT = 16;
  static final int LENGTH = 24;

  /** Size of the data of the last section. */
  static final int END_LENGTH = 24;

  /** Maximum size of a section's data. */
  static final int MAX_LENGTH = (1 << 20) + (1 << 12);

  private BackupLayout() {}

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The CRC of a section of this size at the start of a buffer. */
  static int crc(ByteBuffer section, int size) {
    CRC32C crc = new CRC32C();
    crc.update(section.slice(0, CRC));
    crc.update(section.slice(NUMBER, size - NUMBER));
    return (int) crc.getValue();
  }

  static int headerCrc(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, HEADER_CRC));
    return (int) crc.getValue();
  }
}
