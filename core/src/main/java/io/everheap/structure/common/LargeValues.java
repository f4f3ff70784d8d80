package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;
import java.util.function.LongConsumer;

/**
 * Values too large for their node, in blocks of their own. In the place of the value the node holds
 * what leads to them:
 *
 * <pre>
 *  0  bytes of the value
 *  8  bytes of each part but the last
 * 16  reference of part 0
 * 24  reference of part 1
 *     ...
 * </pre>
 */
public final class LargeValues {
  static final int TOTAL = 0;
  static final int PART_BYTES = 8;
  public static final int PARTS = 16;

  /** A block with its header then fills four chunks of 256 KiB. */
  private static final int WANTED_PART_BYTES = (1 << 20) - 8;

  private final HeapMemory memory;
  private final Allocator allocator;
  private final int partBytes;

  LargeValues(HeapMemory memory, Allocator allocator) {
    this.memory = memory;
    this.allocator = allocator;
    this.partBytes = (int) Math.min(WANTED_PART_BYTES, allocator.maxBlock() & ~7L);
  }

  /** Bytes that a value of {@code length} bytes takes in its node. */
  int stubBytes(int length) {
    return PARTS + 8 * (int) parts(length, partBytes);
  }

  /** Writes a value into new parts, and what leads to them to {@code at}, in a new node. */
  void write(long at, byte[] value, int length) {
    memory.initLong(at + TOTAL, length);
    memory.initLong(at + PART_BYTES, partBytes);
    int written = 0;
    for (int i = 0; written < length; i++) {
      int n = Math.min(partBytes, length - written);
      long part = allocator.allocateRaw(BlockType.VALUE_PART, n);
      memory.initBytes(Reference.payload(part), value, written, n);
      memory.initLong(at + PARTS + 8L * i, part);
      written += n;
    }
  }

  /**
   * Copies the value out whose description is at {@code at}. All parts are looked for before memory
   * is taken for the value.
   *
   * @param end of the node that holds the description
   */
  byte[] read(long at, long end, Guard guard) {
    long total = memory.getLong(at + TOTAL);
    long size = memory.getLong(at + PART_BYTES);
    guard.check();
    requirePlausible(at, end, total, size);
    long left = total;
    for (long i = 0; left > 0; i++) {
      requirePart(at, memory.getLong(at + PARTS + 8 * i), Math.min(size, left));
      left -= size;
    }
    guard.check();
    byte[] value = new byte[(int) total];
    int read = 0;
    for (int i = 0; read < value.length; i++) {
      long part = memory.getLong(at + PARTS + 8L * i);
      int n = (int) Math.min(size, value.length - read);
      guard.check();
      memory.copyOut(Reference.payload(part), value, read, n);
      read += n;
    }
    return value;
  }

  private void requirePart(long at, long part, long bytes) {
    boolean there;
    try {
      there = allocator.type(part) == BlockType.VALUE_PART && allocator.size(part) >= bytes;
    } catch (GoneException e) {
      there = false;
    }
    if (!there) {
      throw Damage.at(
          at, "a part of a value is missing, " + bytes + " bytes at " + Reference.describe(part));
    }
  }

  /** Frees the parts. */
  void free(int stripe, long at, long end) {
    forEachPart(at, end, part -> allocator.free(stripe, part, BlockType.VALUE_PART));
  }

  /** Passes the reference of each part on. */
  void forEachPart(long at, long end, LongConsumer action) {
    long total = memory.getLong(at + TOTAL);
    long size = memory.getLong(at + PART_BYTES);
    requirePlausible(at, end, total, size);
    long parts = parts(total, size);
    for (long i = 0; i < parts; i++) {
      action.accept(memory.getLong(at + PARTS + 8 * i));
    }
  }

  /** Bytes that the description at {@code at} claims to take; negative if too many. */
  int stubBytesAt(long at) {
    long total = memory.getLong(at + TOTAL);
    long size = memory.getLong(at + PART_BYTES);
    requirePlausible(at, Long.MAX_VALUE, total, size);
    long bytes = PARTS + 8 * parts(total, size);
    return bytes > Integer.MAX_VALUE ? -1 : (int) bytes;
  }

  private void requirePlausible(long at, long end, long total, long size) {
    boolean plausible =
        total >= 0
            && total <= Integer.MAX_VALUE - 8
            && total <= memory.getLong(HomeLayout.CAPACITY_ADDRESS)
            && size > 0
            && size <= Integer.MAX_VALUE - 8
            && PARTS + 8 * parts(total, size) <= end - at;
    if (!plausible) {
      throw Damage.at(at, "a value of " + total + " bytes in parts of " + size);
    }
  }

  private static long parts(long length, long size) {
    return (length + size - 1) / size;
  }
}
