package io.everheap.cache.store;

import io.everheap.cache.format.SlotLayout;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What slots and their blocks hold. For slots that the caller pinned, or under the cache's lock:
 * others may be given out meanwhile. Takes no lock.
 */
final class Contents {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SHORT = 64; // bytes of a key that are compared by words

  private final Slots slots;
  private final Space space;
  private final @Nullable Sealing sealing;

  Contents(Slots slots, Space space, @Nullable Sealing sealing) {
    this.slots = slots;
    this.space = space;
    this.sealing = sealing;
  }

  /**
   * Whether an entry has a key. Also for a slot that nobody pinned: the answer is right if the same
   * entry is there before and after. Else what is read may be parts of several, and must not lead
   * out of the file.
   *
   * <p>In an encrypted cache keys are compared by their hashes, which cannot be chosen to be equal:
   * two keys of which they are share an entry, and one that is found under another key is none.
   */
  boolean hasKey(int slot, byte[] key, long hash) {
    if (sealing != null) {
      return slots.hash(slot) == hash;
    }
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    if (SlotLayout.keyLength(region, offset) != key.length) {
      return false;
    }
    long at = block(slot, region, offset) + SlotLayout.valueLength(region, offset);
    return at >= 0 && at <= region.size() - key.length && isAt(region, at, key);
  }

  private static boolean isAt(Region region, long at, byte[] key) {
    if (key.length > SHORT || key.length < Long.BYTES) {
      return region.mismatch(at, key, 0, key.length) < 0;
    }
    int last = key.length - Long.BYTES;
    boolean same = true;
    for (int i = 0; i < last && same; i += Long.BYTES) {
      same = region.getLong(at + i) == (long) WORD.get(key, i);
    }
    return same && region.getLong(at + last) == (long) WORD.get(key, last);
  }

  /**
   * Whether two entries with the same hash have the same key; so they do if the storage cannot read
   * it: none of them may then be served as the one that the other replaced.
   */
  boolean haveSameKey(int slot, int other) {
    try {
      boolean same = sealing != null || hasKey(slot, key(other), slots.hash(other));
      MappedFaults.arrive();
      return same;
    } catch (InternalError e) {
      return true;
    }
  }

  private long block(int slot, Region region, long offset) {
    return space.segment(slots.segment(slot)).granuleOffset(SlotLayout.place(region, offset));
  }

  /** The value in place; not in an encrypted cache. */
  MemorySegment value(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    long block = block(slot, region, offset);
    return region.segment().asSlice(block, SlotLayout.valueLength(region, offset));
  }

  /** A copy of the key; not in an encrypted cache. */
  byte[] key(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    byte[] key = new byte[SlotLayout.keyLength(region, offset)];
    long at = block(slot, region, offset) + SlotLayout.valueLength(region, offset);
    region.copyTo(at, key, 0, key.length);
    MappedFaults.arrive();
    return key;
  }

  /** Whether the block has the checksum that its slot tells. */
  boolean isWhole(int slot) {
    if (sealing != null) {
      Opened opened = open(slot);
      if (opened != null) {
        opened.close();
      }
      return opened != null;
    }
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    long length =
        (long) SlotLayout.valueLength(region, offset) + SlotLayout.keyLength(region, offset);
    try {
      return SlotLayout.blockCrc(region, block(slot, region, offset), length)
          == SlotLayout.valueCrc(region, offset);
    } catch (InternalError e) {
      return false; // the storage cannot read it
    }
  }

  /** Decrypts an entry of an encrypted cache; null if it is not authentic. */
  @Nullable Opened open(int slot) {
    Region region = slots.region(slot);
    long offset = slots.offset(slot);
    return Objects.requireNonNull(sealing)
        .open(
            slots.file(slot),
            block(slot, region, offset),
            SlotLayout.valueLength(region, offset),
            SlotLayout.seal(region, offset),
            slot);
  }

  boolean isSealed() {
    return sealing != null;
  }

  /** When the entry expires, in milliseconds since 1970; {@link SlotLayout#NEVER}. */
  long expiry(int slot) {
    return SlotLayout.expiry(slots.region(slot), slots.offset(slot));
  }

  /** When the entry was written, in milliseconds since 1970. */
  long written(int slot) {
    return SlotLayout.written(slots.region(slot), slots.offset(slot));
  }

  /** The sequence of the entry; 0 if it ended. */
  long sequence(int slot) {
    return slots.sequence(slot);
  }
}
