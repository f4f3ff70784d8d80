package io.everheap.cache.store;

import java.lang.foreign.MemorySegment;

/** A block that is being filled. For one thread at a time. */
public final class Draft {
  private final Space.Block block;
  private final byte[] key;
  private final long hash;
  private final int valueLength;

  Draft(Space.Block block, byte[] key, long hash, int valueLength) {
    this.block = block;
    this.key = key;
    this.hash = hash;
    this.valueLength = valueLength;
  }

  /** The memory for the value. */
  public MemorySegment memory() {
    return block.segment().memory().region().claim(block.offset(), valueLength);
  }

  /** The memory was filled, or is given up. */
  void filled() {
    block.segment().memory().region().claimed(block.offset(), valueLength);
  }

  Space.Block block() {
    return block;
  }

  /** The slot that the block has. */
  public int slot() {
    return block.slot();
  }

  byte[] key() {
    return key;
  }

  long hash() {
    return hash;
  }

  int valueLength() {
    return valueLength;
  }
}
