package io.everheap.structure.block;

import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.block.UnloggedRegion;
import io.everheap.block.store.BlockSecrets;
import io.everheap.block.store.BlockStore;
import io.everheap.engine.HeapContext;
import io.everheap.engine.RegionFile;

/** Makes the raw blocks and regions of a heap. */
public final class RawMemory {
  private static final BlockSecrets SECRETS = BlockSecrets.of(Blocks.class);

  private RawMemory() {}

  /** Returns the raw blocks of a heap. */
  public static Blocks blocks(HeapContext heap) {
    return (Blocks) SECRETS.blocks(new BlockStore(heap));
  }

  /**
   * Returns an accessor to the block that a reference leads to.
   *
   * @throws io.everheap.error.GoneException if there is no such block
   */
  public static Block block(HeapContext heap, long reference) {
    return (Block) SECRETS.block(new BlockStore(heap), reference);
  }

  /** Returns the region that a file holds. */
  public static UnloggedRegion region(String name, RegionFile file) {
    return (UnloggedRegion) SECRETS.region(name, file);
  }
}
