package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import java.util.Arrays;

/**
 * Allocates blocks of up to 8 KiB in slots. Guarded by the writer lock.
 *
 * <h2>Allocation</h2>
 *
 * Each size class has a cursor that moves through the words of one chunk's bitmap and takes the
 * lowest free slot of a word, so that consecutive blocks are neighbours. When the chunk is full,
 * the cursor moves to the lowest chunk of the class that is not full, or to a free chunk.
 *
 * <h2>Opening words</h2>
 *
 * A word of a chunk's bitmap, and in a never-used chunk the headers of its 64 slots, are
 * initialized (opened) when the cursor first reaches the word, so the cost of a chunk depends on
 * the part that is used. The bytes there may not be zero: transactions that were rolled back may
 * have stored payloads. In a chunk that had blocks before, all headers are initialized when the
 * chunk is formatted, so that a stale reference never finds an old payload in place of a header.
 * These stores reach the home image at the commit; until then the generation of such slots is the
 * chunk's floor.
 *
 * <h2>Empty chunks</h2>
 *
 * One empty chunk per class is retained; any other becomes free with the commit that empties it, as
 * does the retained one when space is tight.
 */
final class SlotAllocator {
  private final HeapMemory memory;
  private final ChunkTable table;
  private final Space space;
  private final UndoJournal journal;
  private final BurnedGenerations burned;
  private final SlotCursor[] cursors = new SlotCursor[SizeClasses.COUNT];

  /** Chunks of each class that may have free slots, except the cursor's. */
  private final IntHeap[] candidates = new IntHeap[SizeClasses.COUNT];

  /** The retained empty chunk of each class, or -1. */
  private final int[] retained = new int[SizeClasses.COUNT];

  /** Chunks in which this transaction opened words, with the number of words open before it. */
  private final AddressMap openedBefore = new AddressMap();

  SlotAllocator(
      HeapMemory memory,
      ChunkTable table,
      Space space,
      UndoJournal journal,
      BurnedGenerations burned) {
    this.memory = memory;
    this.table = table;
    this.space = space;
    this.journal = journal;
    this.burned = burned;
    Arrays.setAll(cursors, SlotCursor::new);
    Arrays.setAll(candidates, sizeClass -> new IntHeap());
    Arrays.fill(retained, -1);
  }

  /** Allocates a block of {@code type} with {@code slack} unused bytes in its slot. */
  long allocate(int sizeClass, int type, int slack) {
    SlotCursor cursor = cursors[sizeClass];
    if (cursor.available == 0) {
      advance(cursor);
    }
    int bit = Long.numberOfTrailingZeros(cursor.available);
    long address = cursor.firstSlot + (long) bit * cursor.bytes;
    int generation = cursor.generation;
    if (generation < 0) {
      generation = BlockHeader.generation(memory.getLong(address));
    }
    if (burned.hasSlots()) {
      generation = burned.slotAtLeast(address, generation);
      if (generation > Reference.MAX_GENERATION) {
        retire(cursor, bit, address);
        return allocate(sizeClass, type, slack);
      }
    }
    journal.reserve();
    memory.putLong(Stripes.NONE, address, BlockHeader.allocated(generation, type, slack));
    memory.putLong(Stripes.NONE, cursor.wordAddress, cursor.word | (1L << bit));
    long reference = Reference.of(address, generation);
    journal.add(UndoJournal.ALLOCATE, reference);
    take(cursor, bit);
    return reference;
  }

  /** Lists a chunk that may have free slots. */
  void list(int chunk, int kind) {
    int sizeClass = ChunkKind.sizeClass(kind);
    if (cursors[sizeClass].chunk != chunk && table.listedAs(chunk) != kind) {
      candidates[sizeClass].push(chunk);
      table.listedAs(chunk, kind);
    }
  }

  /** Called at the commit: makes a freed slot available. */
  void clear(long address, int kind) {
    int chunk = ChunkLayout.chunkOf(address);
    int sizeClass = ChunkKind.sizeClass(kind);
    long header = memory.getLong(address);
    if (BlockHeader.isRetired(header)) {
      space.countRetired(chunk);
      return;
    }
    memory.markResident(address, SizeClasses.bytes(sizeClass)); // it may be a fresh block
    int usedBefore = count(chunk, kind);
    clearBit(cursors[sizeClass], chunk, SizeClasses.slotAt(sizeClass, offset(address)));
    raiseMaxGeneration(chunk, BlockHeader.generation(header));
    if (usedBefore == SizeClasses.slots(sizeClass)) {
      space.setFull(chunk, false);
    }
    journal.add(UndoJournal.CLEAR, chunk);
    table.usedOf(chunk)[table.index(chunk)]--;
    list(chunk, kind);
    if (usedBefore == 1) {
      emptied(chunk, kind);
    }
  }

  /** Frees the retained empty chunks. */
  void releaseRetained() {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      int chunk = retained[sizeClass];
      int kind = ChunkKind.ofClass(sizeClass);
      if (chunk >= 0 && isEmpty(chunk, kind)) {
        release(chunk, kind);
      }
    }
  }

  /** Frees a chunk if it is empty. */
  boolean releaseIfEmpty(int chunk, int kind) {
    count(chunk, kind);
    boolean empty = isEmpty(chunk, kind);
    if (empty) {
      release(chunk, kind);
    }
    return empty;
  }

  /** The number of slots of a chunk that are in use, including retired ones. */
  int count(int chunk, int kind) {
    short[] used = table.usedOf(chunk);
    int index = table.index(chunk);
    if (used[index] == ChunkTable.UNKNOWN) {
      used[index] = (short) countBits(chunk, kind);
    }
    return used[index];
  }

  /** Rolls back an operation on a chunk of this kind, or on a block in it. */
  void undo(byte operation, long value, int kind) {
    boolean isBlock = operation == UndoJournal.ALLOCATE;
    long address = Reference.address(value);
    int chunk = isBlock ? ChunkLayout.chunkOf(address) : (int) value;
    int sizeClass = ChunkKind.sizeClass(kind);
    SlotCursor cursor = cursors[sizeClass];
    short[] used = table.usedOf(chunk);
    int index = table.index(chunk);
    int word = 0;
    switch (operation) {
      case UndoJournal.ALLOCATE -> {
        burned.burnSlot(value);
        memory.markResident(address, cursor.bytes);
        used[index]--;
        word = SizeClasses.slotAt(sizeClass, offset(address)) >>> 6;
        if (isOpenedHere(ChunkLayout.address(chunk), word)) {
          int floor = ChunkLayout.floor(memory.getLong(table.entry(chunk) + 8));
          memory.initLong(address, BlockHeader.free(floor)); // no commit wrote a header there yet
        }
      }
      case UndoJournal.RETIRE_SLOT -> used[index]--;
      case UndoJournal.CLEAR -> used[index]++;
      case UndoJournal.RELEASE -> used[index] = 0;
      default -> {}
    }
    if (cursor.chunk == chunk) {
      if (operation == UndoJournal.FORMAT) {
        cursor.leave();
      } else {
        cursor.reload(word);
      }
    } else if (operation != UndoJournal.FORMAT) {
      list(chunk, kind);
    }
  }

  /** Called after a rollback to a savepoint or, if {@code all}, of the whole transaction. */
  void rolledBack(boolean all) {
    if (all) {
      openedBefore.clear();
    }
    for (SlotCursor cursor : cursors) {
      if (cursor.chunk >= 0) {
        cursor.reload(Math.max(0, cursor.nextWord - 1));
      }
    }
  }

  /** Called at the end of a transaction. */
  void reset() {
    openedBefore.clear();
  }

  private void take(SlotCursor cursor, int bit) {
    cursor.word |= 1L << bit;
    cursor.available &= ~(1L << bit);
    if (++cursor.used[cursor.index] == cursor.slots) {
      space.setFull(cursor.chunk, true);
    }
  }

  private void retire(SlotCursor cursor, int bit, long address) {
    journal.reserve();
    memory.putLong(Stripes.NONE, address, BlockHeader.freed(Reference.MAX_GENERATION));
    memory.putLong(Stripes.NONE, cursor.wordAddress, cursor.word | (1L << bit));
    journal.add(UndoJournal.RETIRE_SLOT, cursor.chunk);
    take(cursor, bit);
    space.countRetired(cursor.chunk);
  }

  private void advance(SlotCursor cursor) {
    while (true) {
      if (cursor.chunk >= 0) {
        if (cursor.used[cursor.index] < cursor.slots && nextWord(cursor)) {
          return;
        }
        cursor.leave();
      }
      int chunk = candidate(cursor);
      if (chunk < 0) {
        chunk = format(cursor);
      }
      int floor = ChunkLayout.floor(memory.getLong(table.entry(chunk) + 8));
      cursor.enter(chunk, table.usedOf(chunk), table.index(chunk), floor);
    }
  }

  private int candidate(SlotCursor cursor) {
    IntHeap heap = candidates[cursor.sizeClass];
    do {
      while (!heap.isEmpty()) {
        int chunk = heap.pop();
        if (table.listedAs(chunk) == cursor.kind) {
          table.listedAs(chunk, 0);
          if (table.kind(chunk) == cursor.kind && count(chunk, cursor.kind) < cursor.slots) {
            return chunk;
          }
        }
      }
    } while (table.readNext());
    return -1;
  }

  private int format(SlotCursor cursor) {
    int chunk = space.take(cursor.kind);
    long base = ChunkLayout.address(chunk);
    int floor = ChunkLayout.floor(memory.getLong(table.entry(chunk) + 8));
    memory.putLong(Stripes.NONE, base, SlotLayout.header(cursor.kind, cursor.slots, 0));
    memory.putLong(Stripes.NONE, base + SlotLayout.MAX_GENERATION, floor);
    if (floor > 0) {
      long first = base + SizeClasses.first(cursor.sizeClass);
      memory.fillWords(first, cursor.bytes, cursor.slots, BlockHeader.free(floor));
    }
    openedBefore.put(base, 0);
    return chunk;
  }

  /** Moves the cursor to a word of its chunk that has free slots; false if there is none. */
  private boolean nextWord(SlotCursor cursor) {
    long base = ChunkLayout.address(cursor.chunk);
    int opened = SlotLayout.opened(memory.getLong(base));
    int from = cursor.nextWord;
    for (int index = from; index < opened; index++) {
      if (load(cursor, base, index)) {
        return true;
      }
    }
    if (opened < SizeClasses.words(cursor.sizeClass)) {
      open(cursor, base, opened);
      return true;
    }
    for (int index = 0; index < Math.min(from, opened); index++) {
      if (load(cursor, base, index)) {
        return true;
      }
    }
    return false;
  }

  private boolean load(SlotCursor cursor, long base, int index) {
    long word = memory.getLong(base + SlotLayout.BITMAP + 8L * index);
    if (word == -1) {
      return false;
    }
    cursor.load(index, word, isOpenedHere(base, index) ? cursor.floor : -1);
    return true;
  }

  /**
   * Whether this transaction opened a word: then its slots have no headers in the home image yet.
   */
  private boolean isOpenedHere(long base, int index) {
    return !openedBefore.isEmpty() && openedBefore.get(base, index + 1) <= index;
  }

  private void open(SlotCursor cursor, long base, int index) {
    if (openedBefore.get(base, -1) < 0) {
      openedBefore.put(base, index);
    }
    long padding = SlotLayout.padding(cursor.sizeClass, index);
    memory.putLong(Stripes.NONE, base, SlotLayout.header(cursor.kind, cursor.slots, index + 1));
    memory.putLong(Stripes.NONE, base + SlotLayout.BITMAP + 8L * index, padding);
    cursor.load(index, padding, cursor.floor);
    if (cursor.floor == 0) {
      int count = Math.min(64, cursor.slots - (index << 6));
      memory.fillWords(cursor.firstSlot, cursor.bytes, count, BlockHeader.free(0));
    }
  }

  private void clearBit(SlotCursor cursor, int chunk, int slot) {
    long address = ChunkLayout.address(chunk) + SlotLayout.BITMAP + 8L * (slot >>> 6);
    long word = memory.getLong(address) & ~(1L << slot);
    memory.putLong(Stripes.NONE, address, word);
    if (cursor.wordAddress == address) {
      cursor.word = word;
    }
  }

  private void raiseMaxGeneration(int chunk, int generation) {
    long address = ChunkLayout.address(chunk) + SlotLayout.MAX_GENERATION;
    if (memory.getLong(address) < generation) {
      memory.putLong(Stripes.NONE, address, generation);
    }
  }

  private void emptied(int chunk, int kind) {
    int sizeClass = ChunkKind.sizeClass(kind);
    int kept = retained[sizeClass];
    boolean other = kept >= 0 && kept != chunk && isEmpty(kept, kind);
    if (other || space.isTight()) {
      release(chunk, kind);
    } else {
      retained[sizeClass] = chunk;
    }
  }

  private boolean isEmpty(int chunk, int kind) {
    return table.kind(chunk) == kind && table.usedOf(chunk)[table.index(chunk)] == 0;
  }

  /** Frees a chunk with the commit; until then it counts as full, so nothing is allocated there. */
  private void release(int chunk, int kind) {
    int sizeClass = ChunkKind.sizeClass(kind);
    if (cursors[sizeClass].chunk == chunk) {
      cursors[sizeClass].leave();
    }
    space.release(chunk);
    long maxGeneration = memory.getLong(ChunkLayout.address(chunk) + SlotLayout.MAX_GENERATION);
    space.raiseFloor(chunk, (int) maxGeneration & Reference.MAX_GENERATION);
    table.usedOf(chunk)[table.index(chunk)] = (short) SizeClasses.slots(sizeClass);
  }

  private int countBits(int chunk, int kind) {
    long base = ChunkLayout.address(chunk);
    long header = memory.getLong(base);
    if (!SlotLayout.isValid(header, kind)) {
      throw AllocationDamage.chunk(chunk, "its header is not that of its size class");
    }
    int sizeClass = ChunkKind.sizeClass(kind);
    int count = 0;
    for (int index = 0; index < SlotLayout.opened(header); index++) {
      long word = memory.getLong(base + SlotLayout.BITMAP + 8L * index);
      count += Long.bitCount(word & ~SlotLayout.padding(sizeClass, index));
    }
    return count;
  }

  private static int offset(long address) {
    return (int) address & ChunkLayout.CHUNK_MASK;
  }
}
