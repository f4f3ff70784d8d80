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
   * Something is not as the allocator leaves it.
   *
   * @param address where
   * @param message what
   */
  void problem(long address, String message);
}
