package io.everheap.engine.log;

import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Completes parts in memory: padding, header, crc, chain. Used by one thread at a time. */
final class PartSealer {
  private final long key;
  private final CRC32C crc = new CRC32C();
  private int chain;

  PartSealer(long key, int chain) {
    this.key = key;
    this.chain = chain;
  }

  /** The crc of the last part. */
  int chain() {
    return chain;
  }

  /**
   * Completes a part and returns its padded length.
   *
   * @param view the bytes of the region
   * @param at where the part starts in the region
   * @param length of the part, header included
   * @param flags {@link RecordLayout#MORE} or 0
   */
  int seal(Region region, ByteBuffer view, int at, int length, int flags, long lsn) {
    int padded = (int) RecordLayout.align(length);
    clear(region, at + length, at + padded);
    header(region, view, at, padded | flags, padded, lsn);
    return padded;
  }

  /** Fills {@code length} bytes with a part that holds nothing. */
  void pad(Region region, ByteBuffer view, int at, int length, long lsn) {
    header(region, view, at, length | RecordLayout.PAD, RecordLayout.HEADER_SIZE, lsn);
  }

  private void header(Region region, ByteBuffer view, int at, int field, int covered, long lsn) {
    long seed = RecordLayout.seed(key, lsn);
    region.putLong(at, (seed & 0xFFFF_FFFFL) | ((long) chain << 32));
    region.putLong(
        at + RecordLayout.LENGTH,
        (field & 0xFFFF_FFFFL) | ((long) RecordLayout.position(lsn) << 32));
    crc.reset();
    crc.update(view.limit(at + covered).position(at));
    chain = (int) crc.getValue();
    region.putInt(at, chain);
  }

  private static void clear(Region region, int from, int to) {
    int at = from;
    while ((at & 7) != 0 && at < to) {
      region.putByte(at++, (byte) 0);
    }
    for (; at < to; at += 8) {
      region.putLong(at, 0);
    }
  }
}
