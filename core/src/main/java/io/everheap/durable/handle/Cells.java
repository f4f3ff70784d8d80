package io.everheap.durable.handle;

import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.TooLargeException;

/**
 * Stores the values of fields that have no fixed size: each in a block of its own, a <em>cell</em>,
 * which belongs to one field of one object. Cells are stored and freed inside transactions only.
 */
final class Cells {
  private static final byte[] NONE = {};

  private final HeapMemory memory;
  private final Allocator allocator;
  private final long max;

  Cells(HeapMemory memory, Allocator allocator) {
    this.memory = memory;
    this.allocator = allocator;
    this.max = Math.min(allocator.maxBlock() & -8, Integer.MAX_VALUE - 16);
  }

  /**
   * Stores bytes in the given cell if it has their size, else in a new one.
   *
   * @param cell of the field, or 0
   * @param stripe of the object
   * @return the cell that the field refers to from now on
   */
  long store(long cell, int stripe, byte[] bytes, int length) {
    if (length > max) {
      throw TooLargeException.value(
          "a field's value takes " + length + " bytes; the maximum is " + max);
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

  /** Frees the cell of a field that is at an address, if the field is stored in cells. */
  void free(TypeDescriptor.Field field, long at, int stripe) {
    if (field.type().storage() == Storage.CELL) {
      free(memory.getLong(at), stripe);
    }
  }

  /** Copies the bytes of a cell, in an optimistic read. */
  byte[] load(long cell, StripedReads.Check check) {
    long size = size(cell);
    if (size < 0 || size > max) {
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
    } catch (GoneException e) {
      throw damaged(cell, "is missing: " + e.getMessage());
    }
    throw damaged(cell, "is another kind of block");
  }

  private static CorruptException damaged(long cell, String why) {
    return CorruptException.heap(
        "The value of a field, at " + Reference.describe(cell) + ", " + why);
  }
}
