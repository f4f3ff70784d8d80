package io.everheap.memory.crypt;

import io.everheap.memory.MediumFile;

/**
 * The layout of an encrypted file: a header, then each block of {@value #BLOCK} bytes of contents
 * as {@value #SECTORS} sectors of {@value #SECTOR} bytes.
 *
 * <pre>
 *   stored   | header, 4096 | block 0: sector 0 .. 8 | block 1: sector 0 .. 8 | ...
 *
 *   sector   0      16        24      40                     496   512
 *            +------+---------+-------+----------------------+-----+
 *            | salt | counter | zeros | 456 bytes, encrypted | tag |
 *            +------+---------+-------+----------------------+-----+
 * </pre>
 *
 * <p>A sector is what a device writes as a whole or not at all, and each can be decrypted alone: so
 * after a crash every sector is an old or a new one, never one that cannot be read, and what is
 * said about torn writes of an unencrypted file holds for this one as well.
 *
 * <p>A sector of zeros was never written and reads as zeros. The contents have whole blocks; a part
 * of one at the end of the file is what a crash left of its growth, and does not count.
 */
final class SealedLayout {
  /** Bytes of contents that are stored together. */
  static final int BLOCK = MediumFile.BLOCK;

  /** Size of a sector in the file. */
  static final int SECTOR = 512;

  /** Bytes of contents in a sector; the last one of a block has 448. */
  static final int PAYLOAD = 456;

  /** Sectors of a block. */
  static final int SECTORS = 9;

  /** Size of a block in the file. */
  static final int STORED = SECTORS * SECTOR;

  /** Size of the header. */
  static final int HEADER = 4096;

  /** Offsets in a sector. */
  static final int SALT = 0;

  static final int COUNTER = 16;
  static final int RESERVED = 24;
  static final int CIPHERTEXT = 40;

  /** Bytes of the salt. */
  static final int SALT_BYTES = 16;

  /** Bytes of a tag. */
  static final int TAG_BYTES = 16;

  private SealedLayout() {}

  /** Position in the file of a sector of a block. */
  static long position(long block, int sector) {
    return HEADER + block * STORED + (long) sector * SECTOR;
  }

  /** The sector of an offset in a block. */
  static int sector(int offset) {
    return offset / PAYLOAD;
  }

  /** Number of a sector in the file, which authentication covers. */
  static long number(long block, int sector) {
    return block * SECTORS + sector;
  }

  /** Size of the file for contents of at least this size. */
  static long stored(long size) {
    return HEADER + (size + BLOCK - 1) / BLOCK * STORED;
  }

  /** Size of the contents of a file of this size. */
  static long size(long stored) {
    return Math.max(0, stored - HEADER) / STORED * BLOCK;
  }
}
