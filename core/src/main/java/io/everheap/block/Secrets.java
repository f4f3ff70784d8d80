package io.everheap.block;

import io.everheap.block.store.BlockSecrets;
import io.everheap.block.store.BlockStore;
import io.everheap.engine.RegionFile;

/** Makes for the rest of the library what only this package can. */
final class Secrets extends BlockSecrets {
  @Override
  public Blocks blocks(BlockStore store) {
    return new Blocks(store);
  }

  @Override
  public Block block(BlockStore store, long reference) {
    return new Block(store, false, reference, store.size(reference));
  }

  @Override
  public UnloggedRegion region(String name, RegionFile file) {
    return new UnloggedRegion(name, file);
  }
}
