package io.everheap.engine.alloc;

import java.util.Arrays;

/**
 * The changes of the running transaction to the allocator's summaries, in order: for a rollback to
 * a savepoint, and for completing them when the record is applied. A savepoint is a length of the
 * journal. Guarded by the writer lock.
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

  /** The bits of a freed block were cleared, at the commit; the value is the chunk. */
  static final byte CLEAR = 8;

  /** The commit makes a chunk free; the value is the chunk. */
  static final byte RELEASE = 9;

  /** The commit retires a chunk; the value is the chunk. */
  static final byte RETIRE_CHUNK = 10;

  private static final int INITIAL = 64;

  /** Length of the arrays above which they are replaced after a large transaction. */
  private static final int MAX_KEPT = 1 << 18;

  /**
   * The number of changes of the summaries that have begun and not ended. While there is one, the
   * entries may not list all that a rollback has to undo. A change that a VM error interrupts never
   * ends. A field, because a call may fail after such an error.
   */
  int changing;

  private byte[] operations = new byte[INITIAL];
  private long[] values = new long[INITIAL];
  private int size;
  private int others; // entries that are no allocations; undone ones may be counted as well

  int size() {
    return size;
  }

  /** Whether all entries are allocations. */
  boolean onlyAllocations() {
    return others == 0;
  }

  byte operation(int index) {
    return operations[index];
  }

  long value(int index) {
    return values[index];
  }

  /** The number of entries for which there is memory. */
  int room() {
    return values.length;
  }

  /** Makes sure that the next {@link #add} cannot fail. */
  void reserve() {
    if (size == values.length) {
      resize(size * 2);
    } else if (size == 0 && values.length > MAX_KEPT) {
      resize(INITIAL); // the last transaction was a large one
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

  /** Removes all entries from an index on. Allocates nothing. */
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
