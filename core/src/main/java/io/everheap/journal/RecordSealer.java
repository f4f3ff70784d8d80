package io.everheap.journal;

import io.everheap.log.LogSeed;
import io.everheap.log.RecordBuffer;
import io.everheap.log.RecordSeal;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores records of one epoch. Small ones are put together in an array, whose checksum needs no
 * hold on a mapping, and stored with one copy. Used by one thread at a time.
 */
final class RecordSealer {
  private static final int SMALL = 2048;

  private final RecordSeal seal;
  private final int alignment;
  private final RecordBuffer record = new RecordBuffer(SMALL + RecordLayout.MAX_HEADER + 64);

  // The record that was put together.
  private int end; // of what is in the array
  private int padded; // with the zeros behind it
  private @Nullable MemorySegment rest; // its payload, if that is not in the array
  private boolean inPlace; // whether the rest is in the segment already

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

  /** Bytes reserved for the mark that ends a segment. */
  int endSize() {
    return (int) RecordLayout.align(RecordLayout.HEADER, alignment);
  }

  /** The crc of the last record. */
  int checksum() {
    return checksum;
  }

  /**
   * Sets the time and the durable position of the next records, which contain them if their flags
   * say so.
   */
  void stamp(long newTime, long newDurable) {
    time = newTime;
    durable = newDurable;
  }

  /** The durable position that the next records contain. */
  long durable() {
    return durable;
  }

  /** Puts a record together. */
  void put(int flags, long sequence, byte[] payload, int from, int length) {
    if (length > SMALL) {
      put(flags, sequence, MemorySegment.ofArray(payload).asSlice(from, length));
      return;
    }
    int header = header(flags, sequence, length);
    pad(header, length);
    System.arraycopy(payload, from, record.array(), header, length);
  }

  /** The same for other memory. */
  void put(int flags, long sequence, MemorySegment payload) {
    int length = (int) payload.byteSize();
    int header = header(flags, sequence, length);
    if (length > SMALL) {
      end = header;
      rest = payload;
      inPlace = false;
    } else {
      pad(header, length);
      MemorySegment.copy(payload, ValueLayout.JAVA_BYTE, 0, record.array(), header, length);
    }
  }

  /** The same for a payload that is in its place in the segment already. */
  void putInPlace(int flags, long sequence, MemorySegment payload) {
    end = header(flags, sequence, (int) payload.byteSize());
    rest = payload;
    inPlace = true;
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

  /** Prepares the end of a record that fits into the array, before its payload is copied there. */
  private void pad(int header, int length) {
    end = header + length;
    padded = (int) RecordLayout.align(end, alignment);
    for (int at = Math.max(header, padded - alignment); at < padded; at += 8) {
      record.putLong(at, 0);
    }
    rest = null;
  }

  /**
   * Seals what was put together and stores it; returns its size with the padding.
   *
   * <p>This and {@link #put} are two methods so that both are compiled into the append: a method
   * whose machine code is large is called instead.
   */
  long seal(Region target, long position, int previous) {
    MemorySegment payload = rest;
    if (payload != null) {
      rest = null;
      return sealLarge(target, position, previous, payload);
    }
    long at = RecordLayout.offset(position);
    checksum = seal.seal(record, previous, position, end, padded, target, at);
    return padded;
  }

  private long sealLarge(Region target, long position, int previous, MemorySegment payload) {
    long at = RecordLayout.offset(position);
    MemorySegment stored = payload;
    if (!inPlace) {
      target.copyFrom(at + end, payload, 0, payload.byteSize());
      // The checksum is of the copy, not of memory that the user may be changing.
      stored = target.segment().asSlice(at + end, payload.byteSize());
    }
    long length = end + payload.byteSize();
    long size = RecordLayout.align(length, alignment);
    if (size > length) {
      target.fill(at + length, size - length, (byte) 0);
    }
    checksum = seal.seal(record, previous, position, end, stored.asByteBuffer(), target, at);
    return size;
  }
}
