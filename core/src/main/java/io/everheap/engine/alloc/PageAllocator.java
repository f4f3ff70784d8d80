package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;

/**
 * Allocates blocks of more than 8 KiB up to half a chunk as runs of pages. Guarded by the writer
 * lock.
 *
 * <p>All blocks that start in a chunk take their generation from the chunk's floor, which a free
 * raises: a header cannot keep it, because the payload of a longer run may overwrite the header.
 * One empty chunk keeps its kind, as in {@link SlotAllocator}.
 */
final class PageAllocator {
  private final HeapMemory memory;
  private final ChunkTable table;
  private final Space space;
  private final UndoJournal journal;
  private final BurnedGenerations burned;
  private final RunIndex index = new RunIndex();
  private int retained = -1;

  PageAllocator(
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
  }

  /** Allocates a block of {@code type} with {@code room} unused bytes in the last page. */
  long allocate(int pages, int type, int room) {
    while (true) {
      int chunk = find(pages);
      int generation = space.floor(chunk);
      if (generation > Reference.MAX_GENERATION) {
        index.put(chunk, 0);
        continue;
      }
      long base = ChunkLayout.address(chunk);
      long used = memory.getLong(base + PageLayout.USED);
      long first = memory.getLong(base + PageLayout.FIRST);
      int page = Long.numberOfTrailingZeros(PageLayout.starts(~used, pages));
      long address = base + ((long) page << PageLayout.PAGE_SHIFT);
      long header = BlockHeader.allocated(generation, type, BlockHeader.runSlack(pages, room));
      journal.reserve();
      memory.putLong(Stripes.NONE, address, header);
      space.raiseFloor(chunk, generation);
      long nowUsed = used | PageLayout.run(page, pages);
      memory.putLong(Stripes.NONE, base + PageLayout.USED, nowUsed);
      memory.putLong(Stripes.NONE, base + PageLayout.FIRST, first | (1L << page));
      long reference = Reference.of(address, generation);
      journal.add(UndoJournal.ALLOCATE, reference);
      memory.markResident(address, (long) pages << PageLayout.PAGE_SHIFT);
      index.put(chunk, PageLayout.longest(~nowUsed));
      if (nowUsed == -1) {
        space.setFull(chunk, true);
      }
      return reference;
    }
  }

  /** Lists a chunk with free pages, whose longest run is not known yet. */
  void list(int chunk) {
    index.put(chunk, RunIndex.UNKNOWN);
  }

  /** Called at the commit: makes the pages of a freed block available. */
  void clear(long address) {
    int chunk = ChunkLayout.chunkOf(address);
    long header = memory.getLong(address);
    if (BlockHeader.isRetired(header)) {
      space.countRetired(chunk);
      return;
    }
    long base = ChunkLayout.address(chunk);
    long used = memory.getLong(base + PageLayout.USED);
    long first = memory.getLong(base + PageLayout.FIRST);
    int page = (int) ((address - base) >>> PageLayout.PAGE_SHIFT);
    long nowUsed = used & ~PageLayout.run(page, PageLayout.length(used, first, page));
    memory.putLong(Stripes.NONE, base + PageLayout.USED, nowUsed);
    memory.putLong(Stripes.NONE, base + PageLayout.FIRST, first & ~(1L << page));
    space.raiseFloor(chunk, BlockHeader.generation(header));
    if (used == -1) {
      space.setFull(chunk, false);
    }
    table.usedOf(chunk); // reads the extent
    journal.add(UndoJournal.CLEAR, chunk);
    index.put(chunk, PageLayout.longest(~nowUsed));
    if (nowUsed == PageLayout.EMPTY) {
      emptied(chunk);
    }
  }

  /** Frees the retained empty chunk, if there is one. */
  void releaseRetained() {
    if (retained >= 0) {
      releaseIfEmpty(retained);
    }
  }

  /** Frees a chunk if it is an empty one of this kind. */
  boolean releaseIfEmpty(int chunk) {
    boolean empty = isEmpty(chunk);
    if (empty) {
      release(chunk);
    }
    return empty;
  }

  /** Rolls back an operation on a chunk with pages, or on a block in it. */
  void undo(byte operation, long value) {
    if (operation == UndoJournal.ALLOCATE) {
      burned.burnChunk(value);
      list(ChunkLayout.chunkOf(Reference.address(value)));
    } else {
      list((int) value);
    }
  }

  private int find(int pages) {
    while (true) {
      int chunk = index.find(pages);
      if (chunk < 0) {
        if (!table.readNext()) {
          return format();
        }
      } else if (table.kind(chunk) != ChunkKind.PAGES) {
        index.put(chunk, 0);
      } else if (index.longest(chunk) == RunIndex.UNKNOWN) {
        index.put(chunk, PageLayout.longest(~used(chunk)));
      } else {
        return chunk;
      }
    }
  }

  private int format() {
    int chunk = space.take(ChunkKind.PAGES);
    long base = ChunkLayout.address(chunk);
    memory.putLong(Stripes.NONE, base, ChunkKind.PAGES);
    memory.putLong(Stripes.NONE, base + PageLayout.USED, PageLayout.EMPTY);
    memory.putLong(Stripes.NONE, base + PageLayout.FIRST, 0);
    index.put(chunk, PageLayout.longest(~PageLayout.EMPTY));
    return chunk;
  }

  private long used(int chunk) {
    long base = ChunkLayout.address(chunk);
    long used = memory.getLong(base + PageLayout.USED);
    if (memory.getLong(base) != ChunkKind.PAGES || (used & 1) == 0) {
      throw AllocationDamage.chunk(chunk, "its header is not that of a chunk with pages");
    }
    return used;
  }

  private void emptied(int chunk) {
    boolean other = retained >= 0 && retained != chunk && isEmpty(retained);
    if (other || space.isTight()) {
      release(chunk);
    } else {
      retained = chunk;
    }
  }

  private boolean isEmpty(int chunk) {
    return table.kind(chunk) == ChunkKind.PAGES
        && ChunkLayout.kind(memory.getLong(table.entry(chunk))) == ChunkKind.PAGES
        && memory.getLong(ChunkLayout.address(chunk) + PageLayout.USED) == PageLayout.EMPTY;
  }

  /** Frees a chunk with the commit; until then nothing can be allocated in it. */
  private void release(int chunk) {
    space.release(chunk);
    index.put(chunk, 0);
  }
}
