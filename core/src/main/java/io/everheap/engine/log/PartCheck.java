package io.everheap.engine.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Decides whether bytes read from a medium are a part of a certain epoch at a certain LSN. */
final class PartCheck {
  private final long key;
  private final CRC32C crc = new CRC32C();

  PartCheck(long key) {
    this.key = key;
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
   * @param bytes little-endian; the crc's place is stored to meanwhile
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
    int expected = bytes.getInt(at);
    bytes.putInt(at, PartLayout.seed(key, lsn));
    crc.reset();
    crc.update(bytes.limit(at + PartLayout.covered(field)).position(at));
    bytes.clear().putInt(at, expected);
    return (int) crc.getValue() == expected ? field : 0;
  }
}
