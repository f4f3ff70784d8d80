package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import java.util.function.LongPredicate;

/**
 * Finds allocated blocks, chunk by chunk, except those that the caller knows, of which it loads
 * nothing. It can be used while transactions go on, by a caller that checks the result again: then
 * blocks may be missing, and reported problems may not exist. Used by one thread.
 */
public final class BlockSearch {
  private final HeapMemory memory;
  private final int extentShift;
  private final AllocationWalker walker;

  /**
   * Creates a search.
   *
   * @param memory the home image
   * @param extentShift the size of an extent as a power of two
   */
  public BlockSearch(HeapMemory memory, int extentShift) {
    this.memory = memory;
    this.extentShift = extentShift;
    this.walker = new AllocationWalker(memory, extentShift);
  }

  /**
   * Visits a chunk, and those of the large block that starts there.
   *
   * @param chunk number of the chunk
   * @param chunks number of chunks in the home image
   * @param known whether the caller knows the block at an address
   * @param visitor receives the other blocks, and problems
   * @return the number of visited chunks
   */
  public int visit(int chunk, int chunks, LongPredicate known, AllocationVisitor visitor) {
    long entry = memory.getLong(ChunkLayout.entry(chunk, extentShift));
    int kind = ChunkLayout.kind(entry);
    boolean isMetadata = (chunk & (ChunkLayout.chunksPerExtent(extentShift) - 1)) == 0;
    if (isMetadata || !ChunkKind.isSlots(kind)) {
      return walker.visit(chunk, chunks, visitor);
    }
    visitSlots(ChunkLayout.address(chunk), kind, known, visitor);
    return 1;
  }

  /**
   * Skips chunks that belong to a large block which starts before them.
   *
   * @param chunk number of a chunk
   * @param chunks number of chunks in the home image
   * @return the number of the first chunk from there on that starts something, or {@code chunks}
   */
  public int skipRest(int chunk, int chunks) {
    int at = chunk;
    while (at < chunks
        && ChunkLayout.kind(memory.getLong(ChunkLayout.entry(at, extentShift)))
            == ChunkKind.LARGE_REST) {
      at++;
    }
    return at;
  }

  private void visitSlots(long base, int kind, LongPredicate known, AllocationVisitor visitor) {
    long header = memory.getLong(base);
    if (!SlotLayout.isValid(header, kind)) {
      visitor.problem(base, "The chunk's header is not that of its size class");
      return;
    }
    int sizeClass = ChunkKind.sizeClass(kind);
    int bytes = SizeClasses.bytes(sizeClass);
    int opened = SlotLayout.opened(header);
    for (int index = 0; index < opened; index++) {
      long first = base + SizeClasses.first(sizeClass) + 64L * index * bytes;
      long word = memory.getLong(base + SlotLayout.BITMAP + 8L * index);
      for (long used = word & ~SlotLayout.padding(sizeClass, index); used != 0; used &= used - 1) {
        long address = first + (long) Long.numberOfTrailingZeros(used) * bytes;
        if (!known.test(address)) {
          visitSlot(address, bytes, visitor);
        }
      }
    }
  }

  private void visitSlot(long address, int bytes, AllocationVisitor visitor) {
    long header = memory.getLong(address);
    if (BlockHeader.isAllocated(header) == BlockHeader.isRetired(header)) {
      visitor.problem(address, "The slot's bit is set, but its header is that of no block");
    } else if (BlockHeader.isAllocated(header)) {
      visitor.block(
          Reference.of(address, BlockHeader.generation(header)),
          BlockHeader.type(header),
          bytes - BlockHeader.slack(header) - (long) Reference.HEADER_BYTES);
    }
  }
}
