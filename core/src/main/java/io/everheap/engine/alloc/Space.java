package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.FullException;

/**
 * Gives out free chunks, lets the home image grow if there are none, and takes chunks back. Guarded
 * by the writer lock.
 *
 * <p>A chunk that becomes free can be taken only after the commit that freed it: fresh blocks are
 * stored directly to the home image, which must not change chunks that the last committed state
 * uses.
 */
final class Space {
  private final HeapMemory memory;
  private final ChunkTable table;
  private final HomeGrowth growth;
  private final UndoJournal journal;
  private final BurnedGenerations burned;
  private final long capacityAddress;

  /** Whether an allocation failed for lack of space since this was last cleared. */
  private boolean exhausted;

  Space(
      HeapMemory memory,
      ChunkTable table,
      HomeGrowth growth,
      UndoJournal journal,
      BurnedGenerations burned,
      long capacityAddress) {
    this.memory = memory;
    this.table = table;
    this.growth = growth;
    this.journal = journal;
    this.burned = burned;
    this.capacityAddress = capacityAddress;
  }

  /** Whether no chunk is free and the home image cannot grow. */
  boolean isTight() {
    return table.free().isEmpty() && growth.limit() < capacity() + ChunkLayout.CHUNK_BYTES;
  }

  /** Whether an allocation failed for lack of space since the last call. */
  boolean takeExhausted() {
    boolean was = exhausted;
    exhausted = false;
    return was;
  }

  long capacity() {
    return ChunkLayout.address(table.chunks());
  }

  /**
   * The smallest generation that a block starting in a chunk may have; one more than the maximum if
   * the generations are used up.
   */
  int floor(int chunk) {
    int stored = ChunkLayout.floor(memory.getLong(table.entry(chunk) + 8));
    int home = ChunkLayout.floor(memory.getLong(ChunkLayout.HOME_FLOOR));
    return burned.chunkAtLeast(chunk, Math.max(stored, home));
  }

  /** Raises a chunk's floor. */
  void raiseFloor(int chunk, int floor) {
    long address = table.entry(chunk) + 8;
    if (ChunkLayout.floor(memory.getLong(address)) < floor) {
      memory.putLong(Stripes.NONE, address, floor);
    }
  }

  /**
   * Takes a free chunk, gives it a kind, and raises the floor in its table entry to {@link #floor}.
   *
   * @throws FullException if none is free and the home image cannot grow
   */
  int take(int kind) {
    while (true) {
      int chunk = table.free().lowest();
      if (chunk >= 0) {
        int floor = floor(chunk);
        table.free().remove(chunk);
        if (floor <= Reference.MAX_GENERATION) {
          format(chunk, kind, kind, UndoJournal.FORMAT);
          raiseFloor(chunk, floor);
          return chunk;
        }
      } else if (!table.readNext()) {
        int end = table.chunks();
        grow(table.isMetadata(end) ? end + 2 : end + 1);
      }
    }
  }

  /**
   * Takes consecutive free chunks of one extent and makes them a large block.
   *
   * @throws FullException if there are none and the home image cannot grow
   */
  int takeRun(int length) {
    while (true) {
      int head = table.free().run(length);
      if (head >= 0) {
        int floor = floor(head);
        if (floor > Reference.MAX_GENERATION) {
          table.free().remove(head);
          continue;
        }
        formatRun(head, length);
        raiseFloor(head, floor);
        return head;
      } else if (!table.readNext()) {
        grow(endOfNextRun(length));
      }
    }
  }

  /** Makes a chunk free with the commit. */
  void release(int chunk) {
    journal.add(UndoJournal.RELEASE, chunk);
    memory.putLong(Stripes.NONE, table.entry(chunk), ChunkKind.FREE);
  }

  /** Retires a chunk with the commit: it is never used again. */
  void retire(int chunk) {
    journal.add(UndoJournal.RETIRE_CHUNK, chunk);
    memory.putLong(Stripes.NONE, table.entry(chunk), ChunkLayout.oneMoreRetired(ChunkKind.RETIRED));
  }

  /** Counts a block in a chunk that has used up its generations. */
  void countRetired(int chunk) {
    long entry = table.entry(chunk);
    memory.putLong(Stripes.NONE, entry, ChunkLayout.oneMoreRetired(memory.getLong(entry)));
  }

  /** Marks a chunk as full or not. */
  void setFull(int chunk, boolean full) {
    long entry = table.entry(chunk);
    long word = memory.getLong(entry);
    memory.putLong(Stripes.NONE, entry, full ? word | ChunkLayout.FULL : word & ~ChunkLayout.FULL);
  }

  /**
   * Lowers the capacity to a number of chunks; all chunks behind must be free. Their table entries
   * become zero in the same transaction, whether or not the file is cut: a log that is applied to a
   * backup must not depend on which of both happened.
   */
  void shrink(int chunks) {
    int floor = ChunkLayout.floor(memory.getLong(ChunkLayout.HOME_FLOOR));
    for (int chunk = chunks; chunk < table.chunks(); chunk++) {
      floor = Math.max(floor, Math.min(floor(chunk), Reference.MAX_GENERATION));
      long second = table.entry(chunk) + 8;
      if (memory.getLong(second) != 0) {
        memory.putLong(Stripes.NONE, second, 0);
      }
    }
    memory.putLong(Stripes.NONE, ChunkLayout.HOME_FLOOR, floor);
    memory.putLong(Stripes.NONE, capacityAddress, ChunkLayout.address(chunks));
    journal.add(UndoJournal.SHRINK, table.chunks());
    table.cut(chunks);
  }

  /** Called when the commit of an operation of this class is applied. Allocates nothing. */
  void applied(byte operation, int chunk) {
    if (operation == UndoJournal.RELEASE) {
      table.kind(chunk, ChunkKind.FREE);
      table.free().add(chunk);
    } else if (operation == UndoJournal.RETIRE_CHUNK) {
      table.kind(chunk, ChunkKind.RETIRED);
    }
  }

  /** Rolls back an operation of this class. */
  void undo(byte operation, int value) {
    switch (operation) {
      case UndoJournal.FORMAT, UndoJournal.EXTEND -> {
        table.kind(value, ChunkKind.FREE);
        table.free().add(value);
      }
      case UndoJournal.GROW -> table.cut(value);
      case UndoJournal.SHRINK -> table.extend(value);
      default -> {}
    }
  }

  private void formatRun(int head, int length) {
    for (int i = 0; i < length; i++) {
      table.free().remove(head + i);
      if (i == 0) {
        long word = ChunkLayout.large(ChunkKind.LARGE, length);
        format(head, ChunkKind.LARGE, word, UndoJournal.FORMAT);
      } else {
        long word = ChunkLayout.large(ChunkKind.LARGE_REST, i);
        format(head + i, ChunkKind.LARGE_REST, word, UndoJournal.EXTEND);
      }
    }
  }

  private void format(int chunk, int kind, long word, byte operation) {
    journal.add(operation, chunk);
    table.kind(chunk, kind);
    table.usedOf(chunk)[table.index(chunk)] = 0;
    memory.putLong(Stripes.NONE, table.entry(chunk), word);
  }

  /** The capacity, in chunks, that has space for a run at or behind the present end. */
  private int endOfNextRun(int length) {
    int end = table.chunks();
    int perExtent = table.chunksPerExtent();
    if (!table.isMetadata(end)) {
      int start = end - table.free().trailing(end);
      if ((start & (perExtent - 1)) + length <= perExtent) {
        return start + length;
      }
    }
    int extent = (end + perExtent - 1) & -perExtent;
    return extent + 1 + length;
  }

  private void grow(int chunks) {
    long capacity;
    try {
      capacity = growth.grow(ChunkLayout.address(chunks));
    } catch (FullException full) {
      exhausted = true;
      throw full;
    }
    if (capacity < ChunkLayout.address(chunks)) {
      throw new IllegalStateException("The home image grew to " + capacity + " bytes only");
    }
    memory.putLong(Stripes.NONE, capacityAddress, capacity);
    journal.add(UndoJournal.GROW, table.chunks());
    table.extend(ChunkLayout.chunkOf(capacity));
  }
}
