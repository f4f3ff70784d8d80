package io.everheap.engine.log;

import io.everheap.memory.Region;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Completes parts in memory: padding, header, crc, chain. Used by one thread at a time. */
final class PartSealer {
  private final long key;
  private final CRC32C crc = new CRC32C();
  private final PartBuffer buffer = new PartBuffer(PartLayout.MAX_PART);
  private final PartBuffer pad = new PartBuffer(PartLayout.HEADER_SIZE);
  private int chain;

  PartSealer(long key, int chain) {
    this.key = key;
    this.chain = chain;
  }

  /** The crc of the last part. */
  int chain() {
    return chain;
  }

  /** Where parts are built, each from its start. */
  PartBuffer buffer() {
    return buffer;
  }

  /**
   * Completes the part in the buffer and copies it.
   *
   * @param region where it goes
   * @param at where it starts in the region
   * @param length of the part, header included
   * @param padded its length with the zeros behind it
   * @param flags {@link PartLayout#MORE} or 0
   */
  void seal(Region region, int at, int length, int padded, int flags, long lsn) {
    Arrays.fill(buffer.array(), length, padded, (byte) 0);
    seal(buffer, region, at, padded | flags, padded, lsn);
  }

  /** Fills {@code length} bytes of a region with a part that holds nothing. */
  void pad(Region region, int at, int length, long lsn) {
    seal(pad, region, at, length | PartLayout.PAD, PartLayout.HEADER_SIZE, lsn);
  }

  /**
   * The crc goes straight to the region, and the header is stored in words as the checksum loads
   * it: loads that do not match recent stores wait for them.
   */
  private void seal(PartBuffer part, Region region, int at, int field, int length, long lsn) {
    part.putInts(PartLayout.CRC, PartLayout.seed(key, lsn), chain);
    part.putInts(PartLayout.LENGTH, field, PartLayout.position(lsn));
    crc.reset();
    crc.update(part.array(), 0, length);
    chain = (int) crc.getValue();
    region.copyFrom(at, part.array(), 0, length);
    region.putInt(at + PartLayout.CRC, chain);
  }
}
