package io.everheap.engine.alloc;

/** Receives the findings of {@link AllocationWalker}; called by the thread that walks. */
public interface AllocationVisitor {
  /**
   * The next chunk is visited.
   *
   * @param chunk its number
   * @param chunks number of chunks
   */
  default void chunk(int chunk, int chunks) {}

  /**
   * A block is allocated.
   *
   * @param reference a reference to it
   * @param type its type
   * @param size the exact size of its payload in bytes
   */
  void block(long reference, int type, long size);

  /**
   * A range of the allocator's own words in the home image: chunk tables, bitmaps, headers of
   * blocks and of free slots. These and the payloads of blocks are the whole committed state; other
   * bytes are not read before they are stored.
   *
   * @param address where it starts
   * @param bytes how long it is, a multiple of 8
   */
  default void kept(long address, long bytes) {}

  /**
   * Bytes are not what the allocator can have written.
   *
   * @param address of the bytes
   * @param message what is wrong
   */
  void problem(long address, String message);
}
