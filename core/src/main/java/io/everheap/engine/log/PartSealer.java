package io.everheap.engine.log;

import io.everheap.memory.Region;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Completes parts in memory: padding, header, crc, chain. Used by one thread at a time. */
final class PartSealer {
  private final long key;
  private final CRC32C crc = new CRC32C();
  private final PartBuffer buffer = new PartBuffer(RecordLayout.MAX_PART);
  private final PartBuffer pad = new PartBuffer(RecordLayout.HEADER_SIZE);
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
   * Completes the part in the buffer, copies it and returns its padded length.
   *
   * @param region where it goes
   * @param at where it starts in the region
   * @param length of the part, header included
   * @param flags {@link RecordLayout#MORE} or 0
   */
  int seal(Region region, int at, int length, int flags, long lsn) {
    int padded = (int) RecordLayout.align(length);
    Arrays.fill(buffer.array(), length, padded, (byte) 0);
    header(buffer, padded | flags, padded, lsn);
    region.copyFrom(at, buffer.array(), 0, padded);
    return padded;
  }

  /** Fills {@code length} bytes of a region with a part that holds nothing. */
  void pad(Region region, int at, int length, long lsn) {
    header(pad, length | RecordLayout.PAD, RecordLayout.HEADER_SIZE, lsn);
    region.copyFrom(at, pad.array(), 0, RecordLayout.HEADER_SIZE);
  }

  private void header(PartBuffer part, int field, int covered, long lsn) {
    part.putInt(RecordLayout.CRC, RecordLayout.seed(key, lsn));
    part.putInt(RecordLayout.PREVIOUS_CRC, chain);
    part.putInt(RecordLayout.LENGTH, field);
    part.putInt(RecordLayout.POSITION, RecordLayout.position(lsn));
    crc.reset();
    crc.update(part.array(), 0, covered);
    chain = (int) crc.getValue();
    part.putInt(RecordLayout.CRC, chain);
  }
}
