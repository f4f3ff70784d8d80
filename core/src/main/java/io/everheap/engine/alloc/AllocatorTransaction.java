package io.everheap.engine.alloc;

import io.everheap.engine.tx.CommitParticipant;
import io.everheap.engine.tx.HeapMemory;

/**
 * The allocator's participant in transactions: frees take effect at the commit, and a rollback
 * restores the summaries and burns the generations of rolled back allocations. Guarded by the
 * writer lock.
 */
final class AllocatorTransaction implements CommitParticipant {
  private final HeapMemory memory;
  private final ChunkTable table;
  private final Space space;
  private final UndoJournal journal;
  private final BurnedGenerations burned;
  private final BlockFinder blocks;
  private final SlotAllocator slots;
  private final PageAllocator pages;
  private final LargeAllocator large;

  AllocatorTransaction(
      HeapMemory memory,
      ChunkTable table,
      Space space,
      UndoJournal journal,
      BurnedGenerations burned,
      BlockFinder blocks,
      SlotAllocator slots,
      PageAllocator pages,
      LargeAllocator large) {
    this.memory = memory;
    this.table = table;
    this.space = space;
    this.journal = journal;
    this.burned = burned;
    this.blocks = blocks;
    this.slots = slots;
    this.pages = pages;
    this.large = large;
  }

  @Override
  public void freed(FreedBlocks sink) {
    int size = journal.onlyAllocations() ? 0 : journal.size();
    for (int i = 0; i < size; i++) {
      if (journal.operation(i) == UndoJournal.FREE) {
        long reference = journal.value(i);
        long address = Reference.address(reference);
        long header = memory.getCommitted(address);
        if (BlockHeader.matches(header, reference) && BlockHeader.type(header) != BlockType.RAW) {
          sink.block(address, blocks.bytes(address, header));
        }
      }
    }
  }

  @Override
  public boolean isTorn() {
    return journal.changing > 0;
  }

  @Override
  public void prepare() {
    journal.changing++;
    try {
      clearFreed();
    } catch (RuntimeException e) {
      journal.changing--;
      throw e;
    }
    journal.changing--;
  }

  private void clearFreed() {
    int size = journal.onlyAllocations() ? 0 : journal.size();
    for (int i = 0; i < size; i++) {
      if (journal.operation(i) == UndoJournal.FREE) {
        clear(Reference.address(journal.value(i)));
      }
    }
    if (space.takeExhausted()) {
      trim();
    } else if (space.isTight()) {
      slots.releaseRetained();
      pages.releaseRetained();
    }
  }

  @Override
  public void applied() {
    boolean burnedSlots = burned.hasSlots();
    if (journal.onlyAllocations() && !burnedSlots) {
      return;
    }
    for (int i = 0; i < journal.size(); i++) {
      byte operation = journal.operation(i);
      long value = journal.value(i);
      if (operation == UndoJournal.RELEASE || operation == UndoJournal.RETIRE_CHUNK) {
        space.applied(operation, (int) value);
      } else if (burnedSlots && operation == UndoJournal.ALLOCATE) {
        burned.forgetSlot(Reference.address(value));
      }
    }
  }

  @Override
  public int mark() {
    return journal.size();
  }

  @Override
  public void rollbackTo(int mark) {
    for (int i = journal.size() - 1; i >= mark; i--) {
      undo(journal.operation(i), journal.value(i));
    }
    journal.truncate(mark);
    slots.rolledBack(mark == 0);
  }

  @Override
  public void fresh(FreshBlocks sink) {
    for (int i = 0; i < journal.size(); i++) {
      if (journal.operation(i) == UndoJournal.ALLOCATE) {
        long reference = journal.value(i);
        long address = Reference.address(reference);
        int index = memory.stored(address); // exists: the allocation stored the header
        long header = memory.storedWord(index);
        if (BlockHeader.matches(header, reference)) {
          sink.block(address, blocks.bytes(address, header), index);
        }
      }
    }
  }

  @Override
  public void reset() {
    journal.truncate(0);
    slots.reset();
  }

  /** Frees all empty chunks; returns their number. */
  int trim() {
    table.readAll();
    int released = 0;
    for (int chunk = 0; chunk < table.chunks(); chunk++) {
      int kind = table.kind(chunk);
      if (ChunkKind.isSlots(kind)) {
        released += slots.releaseIfEmpty(chunk, kind) ? 1 : 0;
      } else if (kind == ChunkKind.PAGES) {
        released += pages.releaseIfEmpty(chunk) ? 1 : 0;
      }
    }
    return released;
  }

  private void clear(long address) {
    int kind = table.kind(ChunkLayout.chunkOf(address));
    if (ChunkKind.isSlots(kind)) {
      slots.clear(address, kind);
    } else if (kind == ChunkKind.PAGES) {
      pages.clear(address);
    } else {
      large.clear(address);
    }
  }

  private void undo(byte operation, long value) {
    if (operation == UndoJournal.GROW || operation == UndoJournal.SHRINK) {
      space.undo(operation, (int) value);
    } else if (operation != UndoJournal.FREE) {
      boolean isBlock = operation == UndoJournal.ALLOCATE;
      int chunk = isBlock ? ChunkLayout.chunkOf(Reference.address(value)) : (int) value;
      int kind = table.kind(chunk);
      if (ChunkKind.isSlots(kind)) {
        slots.undo(operation, value, kind);
      } else if (kind == ChunkKind.PAGES) {
        pages.undo(operation, value);
      } else if (isBlock) {
        burned.burnChunk(value);
      }
      if (!isBlock) {
        space.undo(operation, chunk);
      }
    }
  }
}
