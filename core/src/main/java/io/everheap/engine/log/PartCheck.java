package io.everheap.engine.log;

import io.everheap.log.RecordSeal;
import java.nio.ByteBuffer;

/** Validates parts of an epoch in bytes read from a medium. Not thread-safe. */
final class PartCheck {
  private final RecordSeal seal;

  PartCheck(long key) {
    this.seal = new RecordSeal(key);
  }

  /** Like {@link #field(ByteBuffer, int, long, long)}, for a part with this previous crc. */
  int field(ByteBuffer bytes, int at, long limit, long lsn, int chain) {
    if (limit - at < PartLayout.ALIGNMENT || bytes.getInt(at + PartLayout.PREVIOUS_CRC) != chain) {
      return 0;
    }
    return field(bytes, at, limit, lsn);
  }

  /**
   * Returns the length field of a part if it validates, or 0.
   *
   * @param bytes little-endian
   * @param at offset of the part
   * @param limit offset at or before which it must end
   * @param lsn of the part
   */
  int field(ByteBuffer bytes, int at, long limit, long lsn) {
    if (limit - at < PartLayout.ALIGNMENT
        || bytes.getInt(at + PartLayout.POSITION) != PartLayout.position(lsn)) {
      return 0;
    }
    int field = bytes.getInt(at + PartLayout.LENGTH);
    if (!PartLayout.plausible(field) || PartLayout.length(field) > limit - at) {
      return 0;
    }
    return seal.matches(bytes, at, at + PartLayout.covered(field), lsn) ? field : 0;
  }
}
