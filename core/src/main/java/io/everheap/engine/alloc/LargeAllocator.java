package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;

/**
 * Allocates blocks of more than half a chunk as consecutive chunks of one extent. Their generation
 * is the floor of the first chunk, which a free raises. Guarded by the writer lock.
 */
final class LargeAllocator {
  private final HeapMemory memory;
  private final ChunkTable table;
  private final Space space;
  private final UndoJournal journal;

  LargeAllocator(HeapMemory memory, ChunkTable table, Space space, UndoJournal journal) {
    this.memory = memory;
    this.table = table;
    this.space = space;
    this.journal = journal;
  }

  /** Allocates a block of {@code type} with {@code slack} unused bytes in the last chunk. */
  long allocate(int chunks, int type, int slack) {
    int head = space.takeRun(chunks);
    int generation = ChunkLayout.floor(memory.getLong(table.entry(head) + 8));
    long address = ChunkLayout.address(head);
    long reference = Reference.of(address, generation);
    journal.reserve();
    memory.putLong(Stripes.NONE, address, BlockHeader.allocated(generation, type, slack));
    journal.add(UndoJournal.ALLOCATE, reference);
    memory.markResident(address, ChunkLayout.address(chunks));
    return reference;
  }

  /** Called at the commit: makes the chunks of a freed block free. */
  void clear(long address) {
    int head = ChunkLayout.chunkOf(address);
    table.usedOf(head); // reads the extent
    int chunks = ChunkLayout.chunks(memory.getLong(table.entry(head)));
    long header = memory.getLong(address);
    if (BlockHeader.isRetired(header)) {
      space.retire(head);
    } else {
      space.raiseFloor(head, BlockHeader.generation(header));
      space.release(head);
    }
    for (int i = 1; i < chunks; i++) {
      if (table.kind(head + i) != ChunkKind.LARGE_REST) {
        throw AllocationDamage.chunk(head + i, "it does not belong to the large block before it");
      }
      space.release(head + i);
    }
  }
}
