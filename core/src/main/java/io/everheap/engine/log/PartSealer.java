package io.everheap.engine.log;

import io.everheap.log.RecordBuffer;
import io.everheap.log.RecordSeal;
import io.everheap.memory.Region;

/** Completes parts: padding, header, crc and chain. Guarded by the writer lock. */
final class PartSealer {
  private final RecordSeal seal;
  private final RecordBuffer buffer = new RecordBuffer(PartLayout.MAX_PART);
  private final RecordBuffer pad = new RecordBuffer(PartLayout.HEADER_SIZE);
  private int chain;

  PartSealer(long key, int chain) {
    this.seal = new RecordSeal(key);
    this.chain = chain;
  }

  /** The crc of the last part. */
  int chain() {
    return chain;
  }

  /** The buffer in which each part is built, from offset 0. */
  RecordBuffer buffer() {
    return buffer;
  }

  /**
   * Completes the part in the buffer and copies it to a region.
   *
   * @param region destination
   * @param at offset of the part in the region
   * @param length of the part, header included
   * @param padded its length with padding
   * @param flags {@link PartLayout#MORE} or 0
   */
  void seal(Region region, int at, int length, int padded, int flags, long lsn) {
    int end = length;
    for (; end % Long.BYTES != 0; end++) {
      buffer.array()[end] = 0;
    }
    for (; end < padded; end += Long.BYTES) { // a few words: Arrays.fill takes longer
      buffer.putLong(end, 0);
    }
    seal(buffer, region, at, padded | flags, padded, lsn);
  }

  /** Fills {@code length} bytes of a region with a pad. */
  void pad(Region region, int at, int length, long lsn) {
    seal(pad, region, at, length | PartLayout.PAD, PartLayout.HEADER_SIZE, lsn);
  }

  private void seal(RecordBuffer part, Region region, int at, int field, int length, long lsn) {
    part.putInts(PartLayout.LENGTH, field, PartLayout.position(lsn));
    chain = seal.seal(part, chain, lsn, length, length, region, at);
  }
}
