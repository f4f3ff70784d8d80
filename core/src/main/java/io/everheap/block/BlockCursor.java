package io.everheap.block;

import io.everheap.block.store.BlockStore;
import io.everheap.stability.Stable;

/**
 * An accessor that moves from block to block, so that a traversal of a structure of a million
 * blocks allocates one object. Every access throws {@link IndexOutOfBoundsException} while the
 * cursor stands at no block.
 *
 * <p>Not safe for use by several threads.
 *
 * @since 0.9
 */
@Stable
public final class BlockCursor extends Block {
  private static final long NOWHERE = 0;

  BlockCursor(BlockStore store, boolean compact) {
    super(store, compact);
    place(NOWHERE, -1);
  }

  /**
   * Moves to another block of the heap.
   *
   * @param handle of the block
   * @return this cursor
   * @throws io.everheap.error.GoneException if there is no such block; the cursor stays where it
   *     was
   */
  public BlockCursor moveTo(long handle) {
    place(store.reference(handle), store.sizeOf(handle));
    return this;
  }

  /** Leaves the block, so that the cursor stands at no block. */
  public void leave() {
    place(NOWHERE, -1);
  }

  /** Whether the cursor stands at a block. */
  public boolean isPlaced() {
    return block() != NOWHERE;
  }
}
