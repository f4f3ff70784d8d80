package io.everheap.engine.alloc;

/** Where the allocator keeps what it knows of a block, for tests that damage it. */
public final class BlockPlaces {
  private BlockPlaces() {}

  /** Address of the word of a bitmap that has the bit of a slot. */
  public static long bitmapWord(long block, int slotBytes) {
    return base(block) + SlotLayout.BITMAP + 8L * (slot(block, slotBytes) >>> 6);
  }

  /** The bit of a slot in that word. */
  public static long bit(long block, int slotBytes) {
    return 1L << slot(block, slotBytes);
  }

  /** Address of the chunk table's entry of a block's chunk. */
  public static long tableEntry(long block, int extentShift) {
    return ChunkLayout.entry(ChunkLayout.chunkOf(block), extentShift);
  }

  private static long base(long block) {
    return block & -ChunkLayout.CHUNK_BYTES;
  }

  private static int slot(long block, int slotBytes) {
    int offset = (int) (block - base(block));
    int slot = SizeClasses.slotAt(SizeClasses.of(slotBytes), offset);
    if (slot < 0) {
      throw new IllegalArgumentException("no slot of " + slotBytes + " bytes at " + block);
    }
    return slot;
  }
}
