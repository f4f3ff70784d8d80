package io.everheap.engine.alloc;

import java.util.Arrays;

/**
 * What the current transaction did to the allocator's summaries, in order, so that it can be undone
 * back to a savepoint, and finished once the record was applied. A savepoint is a length of the
 * journal.
 */
final class UndoJournal {
  /** A block was allocated; the value is its reference. */
  static final byte ALLOCATE = 1;

  /** A block was freed; the value is its reference. */
  static final byte FREE = 2;

  /** A free chunk was given a kind; the value is the chunk. */
  static final byte FORMAT = 3;

  /** A free chunk became part of a large block behind its head; the value is the chunk. */
  static final byte EXTEND = 4;

  /** The capacity grew; the value is the number of chunks before. */
  static final byte GROW = 5;

  /** The capacity shrank; the value is the number of chunks before. */
  static final byte SHRINK = 6;

  /** A slot was retired instead of allocated; the value is the chunk. */
  static final byte RETIRE_SLOT = 7;

  /** The commit clears the bits of a freed block; the value is the chunk. */
  static final byte CLEAR = 8;

  /** The commit makes a chunk free; the value is the chunk. */
  static final byte RELEASE = 9;

  /** The commit retires a chunk; the value is the chunk. */
  static final byte RETIRE_CHUNK = 10;

  private static final int INITIAL = 64;
  private static final int KEPT = 1 << 18;

  /**
   * Whether the summaries are being changed, so that the entries may not tell all that a rollback
   * has to undo. It stays set when an error of the virtual machine ends the change, and is a field
   * since a {@code finally} might not be able to call anything.
   */
  boolean torn;

  private byte[] operations = new byte[INITIAL];
  private long[] values = new long[INITIAL];
  private int size;
  private int others; // entries that are no allocations; may count some that were undone

  int size() {
    return size;
  }

  /** Whether there are none but allocations. */
  boolean onlyAllocations() {
    return others == 0;
  }

  byte operation(int index) {
    return operations[index];
  }

  long value(int index) {
    return values[index];
  }

  /** Makes sure that the next {@link #add} cannot fail. */
  void reserve() {
    if (size == values.length) {
      resize(size * 2);
    } else if (size == 0 && values.length > KEPT) {
      resize(INITIAL); // after a large transaction
    }
  }

  void add(byte operation, long value) {
    reserve();
    operations[size] = operation;
    values[size] = value;
    size++;
    if (operation != ALLOCATE) {
      others++;
    }
  }

  /** Forgets everything from an index on. Allocates nothing. */
  void truncate(int newSize) {
    size = newSize;
    if (newSize == 0) {
      others = 0;
    }
  }

  private void resize(int length) {
    byte[] newOperations = Arrays.copyOf(operations, length);
    values = Arrays.copyOf(values, length);
    operations = newOperations;
  }
}
