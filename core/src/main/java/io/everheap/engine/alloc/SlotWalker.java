package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;

/** Visits the slots of one chunk for {@link AllocationWalker}. */
final class SlotWalker {
  private final HeapMemory memory;
  private final long entry;
  private final int floor;
  private final AllocationVisitor visitor;
  private final int sizeClass;
  private final long base;
  private long maxGeneration;
  private int used;
  private int retired;

  SlotWalker(HeapMemory memory, int chunk, long entry, int floor, AllocationVisitor visitor) {
    this.memory = memory;
    this.entry = entry;
    this.floor = floor;
    this.visitor = visitor;
    this.sizeClass = ChunkKind.sizeClass(ChunkLayout.kind(entry));
    this.base = ChunkLayout.address(chunk);
  }

  void walk() {
    long header = memory.getLong(base);
    if (!SlotLayout.isValid(header, ChunkLayout.kind(entry))) {
      visitor.problem(base, "The chunk's header is not that of its size class");
      return;
    }
    maxGeneration = memory.getLong(base + SlotLayout.MAX_GENERATION);
    if (maxGeneration < floor || maxGeneration > Reference.MAX_GENERATION) {
      visitor.problem(base, "The chunk's largest generation is " + maxGeneration);
    }
    int opened = SlotLayout.opened(header);
    visitor.kept(base, SlotLayout.MAX_GENERATION + 8);
    visitor.kept(base + SlotLayout.BITMAP, 8L * opened);
    for (int index = 0; index < opened; index++) {
      walkWord(index);
    }
    for (int slot = opened << 6; floor > 0 && slot < SizeClasses.slots(sizeClass); slot++) {
      visitor.kept(address(slot), Reference.HEADER_BYTES);
    }
    boolean isFull = used == SizeClasses.slots(sizeClass);
    if (isFull != ChunkLayout.isFull(entry)) {
      visitor.problem(base, "The chunk is " + (isFull ? "" : "not ") + "full, its flag is wrong");
    }
    if (retired != ChunkLayout.retired(entry)) {
      visitor.problem(base, "The chunk has " + retired + " retired slots, its count is wrong");
    }
  }

  private void walkWord(int index) {
    long word = memory.getLong(base + SlotLayout.BITMAP + 8L * index);
    long padding = SlotLayout.padding(sizeClass, index);
    if ((word & padding) != padding) {
      visitor.problem(base, "Bits behind the last slot are clear in word " + index);
    }
    int slots = 64 - Long.bitCount(padding);
    for (int i = 0; i < slots; i++) {
      long address = address((index << 6) + i);
      visitor.kept(address, Reference.HEADER_BYTES);
      long header = memory.getLong(address);
      if (BlockHeader.generation(header) < floor) {
        visitor.problem(address, "The slot's generation is below the chunk's floor " + floor);
      }
      if ((word & (1L << i)) == 0) {
        walkFree(address, header);
      } else {
        walkUsed(address, header);
      }
    }
  }

  private long address(int slot) {
    return base + SizeClasses.first(sizeClass) + (long) slot * SizeClasses.bytes(sizeClass);
  }

  private void walkFree(long address, long header) {
    if (BlockHeader.isAllocated(header) || BlockHeader.isRetired(header)) {
      visitor.problem(address, "The slot's bit is clear, but its header is that of a block");
    } else if (BlockHeader.generation(header) > maxGeneration) {
      visitor.problem(address, "The slot's generation is above the chunk's largest");
    }
  }

  private void walkUsed(long address, long header) {
    used++;
    if (BlockHeader.isAllocated(header) == BlockHeader.isRetired(header)) {
      visitor.problem(address, "The slot's bit is set, but its header is that of no block");
    } else if (BlockHeader.isRetired(header)) {
      retired++;
    } else {
      int bytes = SizeClasses.bytes(sizeClass) - BlockHeader.slack(header);
      if (bytes < Reference.HEADER_BYTES || !SizeClasses.mayHold(sizeClass, bytes)) {
        visitor.problem(address, "The block's size does not fit its slot");
        return;
      }
      visitor.block(
          Reference.of(address, BlockHeader.generation(header)),
          BlockHeader.type(header),
          bytes - Reference.HEADER_BYTES);
    }
  }
}
