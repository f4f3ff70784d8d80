package io.everheap.engine.alloc;

/**
 * The common properties of blocks of one type and size in slots, with which a reference to such a
 * block is checked by few comparisons. Immutable and thread-safe.
 */
public final class SlotShape {
  private static final long GENERATION = -1L << Reference.GENERATION_SHIFT;

  private final ChunkKinds kinds;
  private final int kind;
  private final long header;
  private final int first;
  private final int bytes;
  private final int end;
  private final long inverse;

  /**
   * Creates a shape.
   *
   * @param header of such a block, without the generation
   */
  SlotShape(ChunkKinds kinds, int sizeClass, long header) {
    this.kinds = kinds;
    this.kind = ChunkKind.ofClass(sizeClass);
    this.header = header;
    this.first = SizeClasses.first(sizeClass);
    this.bytes = SizeClasses.bytes(sizeClass);
    this.end = first + SizeClasses.slots(sizeClass) * bytes;
    this.inverse = SizeClasses.inverse(sizeClass);
  }

  /**
   * Whether a reference leads to an allocated block of this shape.
   *
   * @param reference the block
   * @param header the word at its address
   * @return true if it does; false also for blocks of the same type that have another size
   */
  public boolean isBlock(long reference, long header) {
    return header == header(reference) && isSlot(Reference.address(reference));
  }

  /**
   * Returns the header that a block of this shape has.
   *
   * @param reference the block
   * @return the word at its address
   */
  public long header(long reference) {
    return (reference & GENERATION) | header;
  }

  private boolean isSlot(long address) {
    int inside = ((int) address & ChunkLayout.CHUNK_MASK) - first;
    return (int) ((inside * inverse) >>> 32) * bytes == inside
        && inside >= 0
        && inside < end - first
        && kinds.at(address) == kind;
  }
}
