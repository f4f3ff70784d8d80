package io.everheap.engine.log;

import io.everheap.log.RecordSeal;
import java.nio.ByteBuffer;

/** Decides whether bytes read from a medium are a part of a certain epoch at a certain LSN. */
final class PartCheck {
  private final RecordSeal seal;

  PartCheck(long key) {
    this.seal = new RecordSeal(key);
  }

  /** Like {@link #field(ByteBuffer, int, long, long)}, and it must follow the given part. */
  int field(ByteBuffer bytes, int at, long limit, long lsn, int chain) {
    if (limit - at < PartLayout.ALIGNMENT || bytes.getInt(at + PartLayout.PREVIOUS_CRC) != chain) {
      return 0;
    }
    return field(bytes, at, limit, lsn);
  }

  /**
   * The length field of a part that validates, or 0.
   *
   * @param bytes little-endian
   * @param at where it starts
   * @param limit where it must end
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
