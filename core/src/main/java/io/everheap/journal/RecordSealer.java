package io.everheap.journal;

import io.everheap.log.LogSeed;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Stores records of one epoch. Small ones are put together in an array, whose checksum needs no
 * hold on a mapping, and stored with one copy. Used by one thread at a time.
 */
final class RecordSealer {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SMALL = 2048;

  private final long key;
  private final int alignment;
  private final CRC32C crc = new CRC32C();
  private final byte[] record = new byte[SMALL + RecordLayout.MAX_HEADER + 64];

  private int checksum;
  private long time;
  private long durable;

  RecordSealer(UUID journal, long epoch, int alignment) {
    this.key = LogSeed.key(journal, epoch);
    this.alignment = alignment;
  }

  /** Bytes of a record, with its padding. */
  long size(long payload, int flags) {
    return RecordLayout.align(RecordLayout.headerSize(flags) + payload, alignment);
  }

  /** Bytes that are kept for what ends a segment. */
  int endSize() {
    return (int) RecordLayout.align(RecordLayout.HEADER, alignment);
  }

  /** The crc of the last record. */
  int checksum() {
    return checksum;
  }

  /** What the next records say about the time and what is durable, if their flags ask for it. */
  void say(long newTime, long newDurable) {
    time = newTime;
    durable = newDurable;
  }

  /** The durable position that records tell. */
  long durable() {
    return durable;
  }

  /** Stores a record; returns its size with the padding. */
  long seal(
      Region target,
      long ordinal,
      long offset,
      int flags,
      long sequence,
      int previous,
      byte[] payload,
      int from,
      int length) {
    int header = header(flags, sequence, previous, length);
    if (length > SMALL) {
      MemorySegment bytes = MemorySegment.ofArray(payload).asSlice(from, length);
      return large(target, ordinal, offset, header, bytes);
    }
    System.arraycopy(payload, from, record, header, length);
    return small(target, ordinal, offset, header + length);
  }

  /** The same for other memory. */
  long seal(
      Region target,
      long ordinal,
      long offset,
      int flags,
      long sequence,
      int previous,
      MemorySegment payload) {
    int length = (int) payload.byteSize();
    int header = header(flags, sequence, previous, length);
    if (length > SMALL) {
      return large(target, ordinal, offset, header, payload);
    }
    MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, 0, record, header, length);
    return small(target, ordinal, offset, header + length);
  }

  /** Completes a record whose payload is in its place already. */
  long sealInPlace(
      Region target,
      long ordinal,
      long offset,
      int flags,
      long sequence,
      int previous,
      MemorySegment payload) {
    int length = (int) payload.byteSize();
    int header = header(flags, sequence, previous, length);
    crc.reset();
    crc.update(record, RecordLayout.PREVIOUS, header - RecordLayout.PREVIOUS);
    crc.update(payload.asByteBuffer());
    return storeHeader(target, ordinal, offset, header, length);
  }

  private int header(int flags, long sequence, int previous, int length) {
    byte[] bytes = record;
    int field = flags | ((int) sequence & RecordLayout.SEQUENCE_MASK);
    LONG.set(bytes, 0, (long) previous << 32);
    LONG.set(bytes, RecordLayout.LENGTH, (long) field << 32 | length);
    int at = RecordLayout.HEADER;
    if ((flags & RecordLayout.TIME) != 0) {
      LONG.set(bytes, at, time);
      at += 8;
    }
    if ((flags & RecordLayout.DURABLE) != 0) {
      LONG.set(bytes, at, durable);
      at += 8;
    }
    return at;
  }

  private long small(Region target, long ordinal, long offset, int length) {
    int padded = (int) RecordLayout.align(length, alignment);
    if (padded > length) {
      Arrays.fill(record, length, padded, (byte) 0);
    }
    crc.reset();
    crc.update(record, RecordLayout.PREVIOUS, length - RecordLayout.PREVIOUS);
    checksum = (int) crc.getValue() ^ seed(ordinal, offset);
    target.copyFrom(offset, record, 0, padded);
    target.putInt(offset, checksum);
    return padded;
  }

  private long large(Region target, long ordinal, long offset, int header, MemorySegment payload) {
    int length = (int) payload.byteSize();
    crc.reset();
    crc.update(record, RecordLayout.PREVIOUS, header - RecordLayout.PREVIOUS);
    target.copyFrom(offset + header, payload, 0, length);
    // Of the copy, not of memory that the user may be changing.
    crc.update(target.segment().asSlice(offset + header, length).asByteBuffer());
    return storeHeader(target, ordinal, offset, header, length);
  }

  private long storeHeader(
      Region target, long ordinal, long offset, int header, long payloadLength) {
    long length = header + payloadLength;
    long padded = RecordLayout.align(length, alignment);
    if (padded > length) {
      target.fill(offset + length, padded - length, (byte) 0);
    }
    checksum = (int) crc.getValue() ^ seed(ordinal, offset);
    LONG.set(record, 0, (long) LONG.get(record, 0) | (checksum & 0xffff_ffffL));
    target.copyFrom(offset, record, 0, header);
    return padded;
  }

  private int seed(long ordinal, long offset) {
    return RecordLayout.seed(key, RecordLayout.position(ordinal, offset));
  }
}
