package io.everheap.cache.store;

import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A block that is being filled. For one thread at a time. */
public final class Draft {
  private final Space.Block block;
  private final byte[] key;
  private final long hash;
  private final int valueLength;
  private final @Nullable Sealing sealing;
  private @Nullable Region plain; // of an encrypted cache
  private long seal;

  Draft(Space.Block block, byte[] key, long hash, int valueLength, @Nullable Sealing sealing) {
    this.block = block;
    this.key = key;
    this.hash = hash;
    this.valueLength = valueLength;
    this.sealing = sealing;
  }

  /** The memory for the value: that of the file, or of this process in an encrypted cache. */
  public MemorySegment memory() {
    return sealing == null
        ? block.segment().memory().region().claim(block.offset(), valueLength)
        : plain(sealing).claim(0, valueLength);
  }

  private Region plain(Sealing its) {
    Region present = plain;
    if (present == null) {
      present = its.memory().borrow((long) valueLength + key.length + Integer.BYTES);
      plain = present;
    }
    return present;
  }

  /** The memory was filled, or is given up; in an encrypted cache it must not be used any more. */
  void filled() {
    if (sealing == null) {
      block.segment().memory().region().claimed(block.offset(), valueLength);
    } else {
      Region present = plain;
      plain = null;
      if (present != null) {
        sealing.memory().giveBack(present);
      }
    }
  }

  /** Stores value and key, encrypted. */
  void seal(Sealing its) {
    seal = its.store(block.segment().memory(), block.offset(), plain(its), valueLength, key);
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

  /** The word by which the block of an encrypted cache is known; else zero. */
  long seal() {
    return seal;
  }
}
