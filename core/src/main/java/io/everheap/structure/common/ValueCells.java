package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;

/**
 * Encoded values in blocks of their own, each named by its reference: up to 1 MiB in one block that
 * holds the bytes and nothing else, larger ones in parts that the block leads to as {@link
 * LargeValues} describes. A cell never changes between its creation and its end, so a reader that
 * validates the word that leads to it has validated the value.
 */
public final class ValueCells {
  /** The largest cell, in payload bytes; with its header it fills four chunks of 256 KiB. */
  static final int WANTED_CELL_BYTES = (1 << 20) - 8;

  private final HeapMemory memory;
  private final Allocator allocator;
  private final LargeValues large;
  private final int maxCellBytes;

  public ValueCells(HeapMemory memory, Allocator allocator) {
    this.memory = memory;
    this.allocator = allocator;
    this.large = new LargeValues(memory, allocator);
    this.maxCellBytes = (int) Math.min(WANTED_CELL_BYTES, allocator.maxBlock() & ~7L);
  }

  /** Makes a cell of the first {@code length} bytes, in a transaction; returns its reference. */
  public long create(byte[] bytes, int length) {
    if (length <= maxCellBytes) {
      long cell = allocator.allocateRaw(BlockType.VALUE_CELL, length);
      memory.initBytes(Reference.payload(cell), bytes, 0, length);
      return cell;
    }
    long cell = allocator.allocateRaw(BlockType.LARGE_VALUE_CELL, large.stubBytes(length));
    large.write(Reference.payload(cell), bytes, length);
    return cell;
  }

  /** Copies the bytes out. May be optimistic: the caller's guard must hold at the end. */
  public byte[] load(long cell, Guard guard) {
    int type;
    long size;
    try {
      type = allocator.type(cell);
      size = allocator.size(cell);
    } catch (GoneException e) {
      guard.check();
      throw missing(cell, e);
    }
    guard.check();
    long at = Reference.payload(cell);
    if (type == BlockType.LARGE_VALUE_CELL) {
      return large.read(at, at + size, guard);
    }
    requireCell(cell, type, size);
    byte[] bytes = new byte[(int) size];
    if (bytes.length > 0) { // else the block, and its extent, may end here
      memory.copyOut(at, bytes, 0, bytes.length);
    }
    return bytes;
  }

  /** Type of a block that should be a cell. */
  public int type(long cell) {
    return allocator.type(cell);
  }

  /** Bytes of a value, whose cell is sound. */
  public long bytes(long cell) {
    return allocator.type(cell) == BlockType.LARGE_VALUE_CELL
        ? memory.getLong(Reference.payload(cell) + LargeValues.TOTAL)
        : allocator.size(cell);
  }

  /**
   * Frees a cell and its parts, in a transaction.
   *
   * @param stripe that readers of the word validate which led to it
   */
  public void free(int stripe, long cell) {
    int type;
    long size;
    try {
      type = allocator.type(cell);
      size = allocator.size(cell);
    } catch (GoneException e) {
      throw missing(cell, e);
    }
    if (type == BlockType.LARGE_VALUE_CELL) {
      long at = Reference.payload(cell);
      large.free(stripe, at, at + size);
    } else {
      requireCell(cell, type, size);
    }
    allocator.free(stripe, cell);
  }

  private void requireCell(long cell, int type, long size) {
    if (type != BlockType.VALUE_CELL || size < 0 || size > maxCellBytes) {
      throw Damage.at(
          Reference.address(cell),
          "a block of type " + type + " and " + size + " bytes where a value belongs");
    }
  }

  private static RuntimeException missing(long cell, GoneException e) {
    return Damage.at(Reference.address(cell), "a value is missing: " + e.getMessage());
  }
}
