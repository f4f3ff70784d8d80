package io.everheap.object;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.StaleReferenceException;
import io.everheap.error.ValueTooLargeException;

/**
 * The bytes of fields that have no fixed size, each in a block of its own that holds nothing else.
 * A cell belongs to one field of one object.
 */
final class Cells {
  private static final byte[] NONE = {};

  private final HeapMemory memory;
  private final Allocator allocator;
  private final long most;

  Cells(HeapMemory memory, Allocator allocator) {
    this.memory = memory;
    this.allocator = allocator;
    this.most = Math.min(allocator.maxBlock() & -8, Integer.MAX_VALUE - 16);
  }

  /**
   * Stores bytes in a new cell, or in the given one if it has that size.
   *
   * @param cell that the field has, or 0
   * @param stripe of the object
   * @return the cell that the field has from now on
   */
  long store(long cell, int stripe, byte[] bytes, int length) {
    if (length > most) {
      throw new ValueTooLargeException(
          "a field's value takes " + length + " bytes; the most is " + most);
    }
    if (cell != 0 && size(cell) == length) {
      memory.putBytes(stripe, Reference.payload(cell), bytes, 0, length);
      return cell;
    }
    free(cell, stripe);
    long fresh = allocator.allocateRaw(BlockType.OBJECT_CELL, length);
    memory.initBytes(Reference.payload(fresh), bytes, 0, length);
    return fresh;
  }

  /** Frees a cell, or does nothing if it is 0. */
  void free(long cell, int stripe) {
    if (cell != 0) {
      allocator.free(stripe, cell, BlockType.OBJECT_CELL);
    }
  }

  /** Copies the bytes out; optimistic. */
  byte[] load(long cell, StripedReads.Check check) {
    long size = size(cell);
    if (size > most) {
      throw damaged(cell, "has " + size + " bytes");
    }
    if (size == 0 || !check.holds()) {
      return NONE;
    }
    byte[] bytes = new byte[(int) size];
    memory.copyOut(Reference.payload(cell), bytes, 0, bytes.length);
    return bytes;
  }

  private long size(long cell) {
    try {
      long header = allocator.header(cell);
      if (Allocator.typeOf(header) == BlockType.OBJECT_CELL) {
        return allocator.size(cell, header);
      }
    } catch (StaleReferenceException e) {
      throw damaged(cell, "is missing: " + e.getMessage());
    }
    throw damaged(cell, "is another kind of block");
  }

  private static CorruptHeapException damaged(long cell, String why) {
    return new CorruptHeapException(
        "The value of a field, at " + Reference.describe(cell) + ", " + why);
  }
}
