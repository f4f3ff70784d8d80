package io.everheap.engine.alloc;

/** Is told what {@link AllocationWalker} finds. */
public interface AllocationVisitor {
  /**
   * The next chunk is looked at.
   *
   * @param chunk its number
   * @param chunks how many there are
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
   * A range of words that the allocator keeps in the home image: chunk tables, bitmaps, headers of
   * blocks and of free slots. With the payloads of blocks they are all that a committed state
   * consists of; what is in other bytes is not read before it is stored.
   *
   * @param address where it starts
   * @param bytes how long it is, a multiple of 8
   */
  default void kept(long address, long bytes) {}

  /**
   * Something is not as the allocator leaves it.
   *
   * @param address where
   * @param message what
   */
  void problem(long address, String message);
}
