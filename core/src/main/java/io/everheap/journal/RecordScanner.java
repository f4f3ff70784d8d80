package io.everheap.journal;

import io.everheap.log.LogSeed;
import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;

/**
 * Validates records in the bytes of a segment. Nothing that is read from there is trusted before
 * its checksum validates. Not thread-safe.
 */
final class RecordScanner {
  private final ByteBuffer bytes;
  private final RecordSeal seal;
  private final long ordinal;
  private final int alignment;
  private final long shift;

  private int flags;
  private int payload;
  private int length;
  private int checksum;

  /**
   * Prepares for a segment.
   *
   * @param bytes all of it, little-endian; positions and limit are not touched
   */
  RecordScanner(ByteBuffer bytes, SegmentHeader header) {
    this(bytes, LogSeed.key(header.uuid(), header.epoch()), header.ordinal(), header.alignment());
  }

  /** The same for bytes of which those at any offset belong so much further behind. */
  RecordScanner(ByteBuffer bytes, SegmentHeader header, long shift) {
    this(
        bytes,
        LogSeed.key(header.uuid(), header.epoch()),
        header.ordinal(),
        header.alignment(),
        shift);
  }

  RecordScanner(ByteBuffer bytes, long key, long ordinal, int alignment) {
    this(bytes, key, ordinal, alignment, 0);
  }

  private RecordScanner(ByteBuffer bytes, long key, long ordinal, int alignment, long shift) {
    this.bytes = bytes.duplicate().order(bytes.order());
    this.seal = new RecordSeal(key);
    this.ordinal = ordinal;
    this.alignment = alignment;
    this.shift = shift;
  }

  /**
   * Whether a record with this sequence validates at an offset; then the accessors return its
   * fields.
   */
  boolean at(long offset, long sequence) {
    return plausible(offset, sequence) && valid(offset);
  }

  /** The same, and it must follow the record with this checksum. */
  boolean follows(long offset, long sequence, int chain) {
    return plausible(offset, sequence)
        && bytes.getInt((int) offset + RecordLayout.PREVIOUS) == chain
        && valid(offset);
  }

  /**
   * Whether the length and the flags at an offset are possible for the record with this sequence.
   */
  boolean plausible(long offset, long sequence) {
    if (offset < SegmentLayout.START || bytes.limit() - offset < RecordLayout.HEADER) {
      return false;
    }
    int at = (int) offset;
    length = bytes.getInt(at + RecordLayout.LENGTH);
    flags = bytes.getInt(at + RecordLayout.SEQUENCE);
    payload = at + RecordLayout.headerSize(flags);
    return RecordLayout.plausible(length, flags, sequence)
        && (long) payload + length <= bytes.limit();
  }

  /**
   * The sequence that a record at an offset would have, if it is later than {@code after} by less
   * than 2^23 and has one of the wanted flags; otherwise -1. If all flags are wanted, a record
   * needs none.
   */
  long likely(long offset, int flagsWanted, long after) {
    int field = bytes.getInt((int) offset + RecordLayout.SEQUENCE);
    if ((field & flagsWanted) == 0 && flagsWanted != RecordLayout.ANY) {
      return -1;
    }
    int ahead = (field - (int) after) & RecordLayout.SEQUENCE_MASK;
    return ahead < 1 << 23 ? after + ahead : -1;
  }

  private boolean valid(long offset) {
    int at = (int) offset;
    checksum =
        seal.crc(bytes, at, payload + length, RecordLayout.position(ordinal, offset + shift));
    return checksum == bytes.getInt(at + RecordLayout.CRC);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** All flags of the record. */
  int flags() {
    return flags & RecordLayout.ANY;
  }

  /** Where the payload starts. */
  int payload() {
    return payload;
  }

  /** Bytes of the payload. */
  int length() {
    return length;
  }

  /** The checksum of the record: the previous crc of the next one. */
  int checksum() {
    return checksum;
  }

  /** Where the next record starts. */
  long next() {
    return RecordLayout.align((long) payload + length, alignment);
  }

  /** The time of a record at an offset that has one, or 0. */
  long time(long offset) {
    return has(RecordLayout.TIME) ? bytes.getLong((int) offset + RecordLayout.HEADER) : 0;
  }

  /** The durable position in a record at an offset that has one, or 0. */
  long durable(long offset) {
    return has(RecordLayout.DURABLE)
        ? bytes.getLong((int) offset + RecordLayout.durableOffset(flags))
        : 0;
  }

  int alignment() {
    return alignment;
  }

  int limit() {
    return bytes.limit();
  }
}
