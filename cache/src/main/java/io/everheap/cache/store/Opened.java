package io.everheap.cache.store;

import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A pinned entry of an encrypted cache, decrypted into memory of its own: the value, then the key.
 * To be closed once.
 */
public final class Opened implements AutoCloseable {
  private final PrivateMemory from;
  private final Region memory;
  private final int slot;
  private final int valueLength;
  private final int keyLength;

  Opened(PrivateMemory from, Region memory, int slot, int valueLength, int keyLength) {
    this.from = from;
    this.memory = memory;
    this.slot = slot;
    this.valueLength = valueLength;
    this.keyLength = keyLength;
  }

  /** The slot. */
  public int slot() {
    return slot;
  }

  /** The value, for reading; valid until this is closed. */
  public MemorySegment value() {
    return memory.segment().asSlice(0, valueLength);
  }

  /** A copy of the key. */
  public byte[] key() {
    return memory.segment().asSlice(valueLength, keyLength).toArray(ValueLayout.JAVA_BYTE);
  }

  boolean hasKey(byte[] key) {
    return keyLength == key.length && memory.mismatch(valueLength, key, 0, keyLength) < 0;
  }

  /** Gives the memory back; the pin stays. */
  @Override
  public void close() {
    from.giveBack(memory);
  }
}
