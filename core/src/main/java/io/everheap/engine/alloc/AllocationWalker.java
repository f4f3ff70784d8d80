package io.everheap.engine.alloc;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.CorruptException;

/**
 * Visits all allocated blocks and checks that tables, bitmaps and headers agree.
 *
 * <p>It reads the home image only and trusts none of it: whatever the bytes are, it ends, in time
 * bounded by the capacity, and reports what is wrong. The caller must hold the writer lock while no
 * transaction runs; see {@link #visit} for the exception.
 */
public final class AllocationWalker {
  /** The bits of word 0 of a table entry that are always 0. */
  private static final long RESERVED = 0xffff_0000_0000_fe00L;

  private final HeapMemory memory;
  private final int extentShift;

  /**
   * Creates a walker.
   *
   * @param memory the home image
   * @param extentShift the size of an extent as a power of two
   */
  public AllocationWalker(HeapMemory memory, int extentShift) {
    this.memory = memory;
    this.extentShift = extentShift;
  }

  /**
   * Visits the home image from its start to its end.
   *
   * @param visitor receives blocks and problems
   */
  public void walk(AllocationVisitor visitor) {
    long capacity = memory.getLong(HomeLayout.CAPACITY_ADDRESS);
    if (!ChunkLayout.isCapacity(capacity)) {
      visitor.problem(HomeLayout.CAPACITY_ADDRESS, "The capacity is " + capacity);
      return;
    }
    int chunks = ChunkLayout.chunkOf(capacity);
    int chunk = 0;
    try {
      while (chunk < chunks) {
        visitor.chunk(chunk, chunks);
        chunk += visit(chunk, chunks, visitor);
      }
      visitBehind(chunks, visitor);
    } catch (CorruptException beyond) {
      if (beyond.kind() != CorruptException.Kind.HEAP) {
        throw beyond;
      }
      visitor.problem(
          ChunkLayout.address(chunk),
          "The home image ends before its capacity of " + capacity + " bytes");
    }
  }

  /**
   * Visits a chunk, and those of the large block that starts there.
   *
   * <p>It can also be called while transactions go on, by a caller that checks the result again:
   * then blocks may be missing, and reported problems may not exist.
   *
   * @param chunk number of the chunk
   * @param chunks number of chunks in the home image
   * @param visitor receives blocks and problems
   * @return the number of visited chunks
   */
  public int visit(int chunk, int chunks, AllocationVisitor visitor) {
    long entry = ChunkLayout.entry(chunk, extentShift);
    long word = memory.getLong(entry);
    long second = memory.getLong(entry + 8);
    int kind = ChunkLayout.kind(word);
    if (second != ChunkLayout.floor(second)) {
      visitor.problem(entry + 8, "The generation floor of the chunk is " + second);
    }
    if ((word & RESERVED) != 0) {
      visitor.problem(entry, "The table entry has unknown bits: 0x" + Long.toHexString(word));
    }
    boolean isMetadata = (chunk & (ChunkLayout.chunksPerExtent(extentShift) - 1)) == 0;
    if (isMetadata) {
      long table = ChunkLayout.entry(chunk, extentShift);
      visitor.kept(
          table, (long) ChunkLayout.chunksPerExtent(extentShift) * ChunkLayout.ENTRY_BYTES);
    }
    if (isMetadata || kind == ChunkKind.FREE) {
      if (word != 0) {
        visitor.problem(entry, "The chunk cannot be in use, but its table entry is not 0");
      }
    } else if (ChunkKind.isSlots(kind)) {
      checkShared(entry, word, visitor);
      new SlotWalker(memory, chunk, word, ChunkLayout.floor(second), visitor).walk();
    } else if (kind == ChunkKind.PAGES) {
      checkShared(entry, word, visitor);
      new PageWalker(memory, chunk, word, ChunkLayout.floor(second), visitor).walk();
    } else if (kind == ChunkKind.LARGE) {
      return visitLarge(chunk, chunks, ChunkLayout.floor(second), visitor);
    } else if (kind == ChunkKind.LARGE_REST) {
      visitor.problem(entry, "The chunk does not belong to the large block before it");
    } else if (word != ChunkLayout.oneMoreRetired(ChunkKind.RETIRED)) {
      visitor.problem(entry, "The kind of the chunk is " + kind);
    }
    return 1;
  }

  private int visitLarge(int chunk, int chunks, int floor, AllocationVisitor visitor) {
    long entry = ChunkLayout.entry(chunk, extentShift);
    long word = memory.getLong(entry);
    int count = ChunkLayout.chunks(word);
    int perExtent = ChunkLayout.chunksPerExtent(extentShift);
    int room = Math.min(chunks - chunk, perExtent - (chunk & (perExtent - 1)));
    if (word != ChunkLayout.large(ChunkKind.LARGE, count) || count < 1 || count > room) {
      visitor.problem(entry, "The large block has " + count + " chunks where " + room + " fit");
      return 1;
    }
    for (int i = 1; i < count; i++) {
      long rest = ChunkLayout.entry(chunk + i, extentShift);
      if (memory.getLong(rest) != ChunkLayout.large(ChunkKind.LARGE_REST, i)) {
        visitor.problem(rest, "The chunk does not belong to the large block before it");
        return i;
      }
    }
    long address = ChunkLayout.address(chunk);
    visitor.kept(address, Reference.HEADER_BYTES);
    long header = memory.getLong(address);
    int generation = BlockHeader.generation(header);
    if (!BlockHeader.isAllocated(header) || BlockHeader.isRetired(header) || generation > floor) {
      visitor.problem(address, "The large block's header is 0x" + Long.toHexString(header));
      return count;
    }
    long size = ChunkLayout.address(count) - Reference.HEADER_BYTES - BlockHeader.slack(header);
    visitor.block(Reference.of(address, generation), BlockHeader.type(header), size);
    return count;
  }

  private void visitBehind(int chunks, AllocationVisitor visitor) {
    int perExtent = ChunkLayout.chunksPerExtent(extentShift);
    int end = (chunks + perExtent - 1) & -perExtent;
    for (int chunk = chunks; chunk < end; chunk++) {
      long entry = ChunkLayout.entry(chunk, extentShift);
      if (memory.getLong(entry) != 0) {
        visitor.problem(entry, "The chunk is behind the capacity, but its table entry is not 0");
      }
    }
  }

  private static void checkShared(long entry, long word, AllocationVisitor visitor) {
    if (ChunkLayout.chunks(word) != 0) {
      visitor.problem(entry, "Only the chunks of large blocks are counted");
    }
  }
}
