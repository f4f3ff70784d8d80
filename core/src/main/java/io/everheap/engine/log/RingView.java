package io.everheap.engine.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads parts by their LSN from a circular buffer. Immutable.
 *
 * @param memory with the parts
 * @param offset of the circular buffer in the memory, which is the place of the LSN {@code origin}
 * @param origin an LSN
 * @param capacity of the circular buffer in bytes
 */
record RingView(MemorySegment memory, long offset, long origin, long capacity) {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private long at(long lsn) {
    return offset + Math.floorMod(lsn - origin, capacity);
  }

  /** The crc of the part before the one at {@code lsn}. */
  int previousCrc(long lsn) {
    return memory.get(INT, at(lsn) + PartLayout.PREVIOUS_CRC);
  }

  /** Total length of as many whole parts, from one LSN up to another, as fit into {@code max}. */
  int wholeParts(long from, long to, long max) {
    if (to - from <= max) {
      return (int) (to - from);
    }
    long lsn = from;
    while (true) {
      int field = memory.get(INT, at(lsn) + PartLayout.LENGTH);
      if (!PartLayout.plausible(field)) {
        throw new IllegalStateException("there is no part in the ring at LSN " + lsn);
      }
      long next = lsn + PartLayout.length(field);
      if (next - from > max) {
        return (int) (lsn - from);
      }
      lsn = next;
    }
  }

  /** Copies parts to other memory. */
  void copy(long lsn, int length, MemorySegment target, long targetOffset) {
    long start = at(lsn);
    long first = Math.min(length, offset + capacity - start);
    MemorySegment.copy(memory, start, target, targetOffset, first);
    MemorySegment.copy(memory, offset, target, targetOffset + first, length - first);
  }
}
