package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;

/** Visits the runs of pages of one chunk for {@link AllocationWalker}. */
final class PageWalker {
  private final HeapMemory memory;
  private final long entry;
  private final int floor;
  private final AllocationVisitor visitor;
  private final long base;
  private int retired;

  PageWalker(HeapMemory memory, int chunk, long entry, int floor, AllocationVisitor visitor) {
    this.memory = memory;
    this.entry = entry;
    this.floor = floor;
    this.visitor = visitor;
    this.base = ChunkLayout.address(chunk);
  }

  void walk() {
    long used = memory.getLong(base + PageLayout.USED);
    long first = memory.getLong(base + PageLayout.FIRST);
    if (memory.getLong(base) != ChunkKind.PAGES || (used & 1) == 0 || (first & 1) != 0) {
      visitor.problem(base, "The chunk's header is not that of a chunk with pages");
      return;
    }
    visitor.kept(base, PageLayout.FIRST + 8);
    long blocks = used & -2;
    if ((first & ~used) != 0 || (blocks & ~first & ~(blocks << 1)) != 0) {
      visitor.problem(base, "The chunk's runs of pages are not well-formed");
      return;
    }
    for (long rest = first; rest != 0; rest &= rest - 1) {
      int page = Long.numberOfTrailingZeros(rest);
      walkRun(base + ((long) page << PageLayout.PAGE_SHIFT), PageLayout.length(used, first, page));
    }
    if ((used == -1) != ChunkLayout.isFull(entry)) {
      visitor.problem(
          base, "The chunk is " + (used == -1 ? "" : "not ") + "full, its flag is wrong");
    }
    if (retired != ChunkLayout.retired(entry)) {
      visitor.problem(base, "The chunk has " + retired + " retired runs, its count is wrong");
    }
  }

  private void walkRun(long address, int pages) {
    visitor.kept(address, Reference.HEADER_BYTES);
    long header = memory.getLong(address);
    if (BlockHeader.isAllocated(header) == BlockHeader.isRetired(header)) {
      visitor.problem(address, "The pages are in use, but their header is that of no block");
    } else if (BlockHeader.generation(header) > floor) {
      visitor.problem(address, "The block's generation is above the chunk's floor " + floor);
    } else if (BlockHeader.isRetired(header)) {
      retired++;
    } else if (BlockHeader.runPages(header) != pages) {
      visitor.problem(address, "The block has " + pages + " pages, its header says otherwise");
    } else {
      visitor.block(
          Reference.of(address, BlockHeader.generation(header)),
          BlockHeader.type(header),
          ((long) pages << PageLayout.PAGE_SHIFT)
              - Reference.HEADER_BYTES
              - BlockHeader.runRoom(header));
    }
  }
}
