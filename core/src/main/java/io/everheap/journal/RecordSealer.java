package io.everheap.journal;

import io.everheap.log.LogSeed;
import io.everheap.log.RecordBuffer;
import io.everheap.log.RecordSeal;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.UUID;

/**
 * Stores records of one epoch. Small ones are put together in an array, whose checksum needs no
 * hold on a mapping, and stored with one copy. Used by one thread at a time.
 */
final class RecordSealer {
  private static final int SMALL = 2048;

  private final RecordSeal seal;
  private final int alignment;
  private final RecordBuffer record = new RecordBuffer(SMALL + RecordLayout.MAX_HEADER + 64);

  private int checksum;
  private long time;
  private long durable;

  RecordSealer(UUID journal, long epoch, int alignment) {
    this.seal = new RecordSeal(LogSeed.key(journal, epoch));
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
      long position,
      int flags,
      long sequence,
      int previous,
      byte[] payload,
      int from,
      int length) {
    int header = header(flags, sequence, length);
    if (length > SMALL) {
      MemorySegment bytes = MemorySegment.ofArray(payload).asSlice(from, length);
      return large(target, position, previous, header, bytes);
    }
    System.arraycopy(payload, from, record.array(), header, length);
    return small(target, position, previous, header + length);
  }

  /** The same for other memory. */
  long seal(
      Region target, long position, int flags, long sequence, int previous, MemorySegment payload) {
    int length = (int) payload.byteSize();
    int header = header(flags, sequence, length);
    if (length > SMALL) {
      return large(target, position, previous, header, payload);
    }
    MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, 0, record.array(), header, length);
    return small(target, position, previous, header + length);
  }

  /** Completes a record whose payload is in its place already. */
  long sealInPlace(
      Region target, long position, int flags, long sequence, int previous, MemorySegment payload) {
    int header = header(flags, sequence, (int) payload.byteSize());
    return inPlace(target, position, previous, header, payload);
  }

  /** Prepares all of the header but its first word; returns its length. */
  private int header(int flags, long sequence, int length) {
    RecordBuffer buffer = record;
    int field = flags | ((int) sequence & RecordLayout.SEQUENCE_MASK);
    buffer.putInts(RecordLayout.LENGTH, length, field);
    int at = RecordLayout.HEADER;
    if ((flags & RecordLayout.TIME) != 0) {
      buffer.putLong(at, time);
      at += 8;
    }
    if ((flags & RecordLayout.DURABLE) != 0) {
      buffer.putLong(at, durable);
      at += 8;
    }
    return at;
  }

  private long small(Region target, long position, int previous, int length) {
    int padded = (int) RecordLayout.align(length, alignment);
    if (padded > length) {
      Arrays.fill(record.array(), length, padded, (byte) 0);
    }
    long at = RecordLayout.offset(position);
    checksum = seal.seal(record, previous, position, length, padded, target, at);
    return padded;
  }

  private long large(
      Region target, long position, int previous, int header, MemorySegment payload) {
    long at = RecordLayout.offset(position) + header;
    target.copyFrom(at, payload, 0, payload.byteSize());
    // The checksum is of the copy, not of memory that the user may be changing.
    MemorySegment copy = target.segment().asSlice(at, payload.byteSize());
    return inPlace(target, position, previous, header, copy);
  }

  private long inPlace(
      Region target, long position, int previous, int header, MemorySegment payload) {
    long length = header + payload.byteSize();
    long padded = RecordLayout.align(length, alignment);
    long at = RecordLayout.offset(position);
    if (padded > length) {
      target.fill(at + length, padded - length, (byte) 0);
    }
    checksum = seal.seal(record, previous, position, header, payload.asByteBuffer(), target, at);
    return padded;
  }
}
