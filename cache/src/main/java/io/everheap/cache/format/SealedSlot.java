package io.everheap.cache.format;

import io.everheap.memory.Region;
import io.everheap.memory.crypt.EntrySealer;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A slot as the file of an encrypted cache has it:
 *
 * <pre>
 *   0          8     24     32      36       40     48       56        64
 *   +----------+-----+------+-------+--------+------+--------+---------+
 *   | sequence | tag | hash | place | length | seal | expiry | written |
 *   +----------+-----+------+-------+--------+------+--------+---------+
 *                    | record, encrypted                               |
 * </pre>
 *
 * <p>The tag covers the record, the sequence, and the cache, the file and the place of the slot.
 * The sequence is stored last, and all of an ended slot is zero. The length is that of the
 * encrypted block, which holds value and key; the seal is a word of the block's own tag.
 */
public final class SealedSlot {
  /** Bytes of the encrypted record, with its tag, behind the sequence. */
  private static final int SEALED = SlotLayout.SIZE - Long.BYTES;

  /** Bytes of the record. */
  public static final int RECORD = SEALED - EntrySealer.RECORD_OVERHEAD;

  private SealedSlot() {}

  /** The record of a slot in memory. */
  public static byte[] record(Region region, long slot) {
    ByteBuffer b = ByteBuffer.allocate(RECORD).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(SlotLayout.hash(region, slot));
    b.putInt(SlotLayout.place(region, slot));
    b.putInt(SlotLayout.valueLength(region, slot));
    b.putLong(SlotLayout.seal(region, slot));
    b.putLong(SlotLayout.expiry(region, slot));
    b.putLong(SlotLayout.written(region, slot));
    return b.array();
  }

  /** Makes a slot in memory of its record. */
  public static void load(Region region, long slot, long salt, long sequence, byte[] record) {
    ByteBuffer b = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    long hash = b.getLong();
    SlotLayout.reserve(region, slot, b.getInt(), 0, b.getInt());
    long seal = b.getLong();
    long expiry = b.getLong();
    SlotLayout.fill(region, slot, salt, sequence, hash, 0, seal, expiry, b.getLong());
    SlotLayout.publish(region, slot, sequence);
  }

  /** The encrypted record that a slot of the file has. */
  public static byte[] stored(Region region, long slot) {
    byte[] sealed = new byte[SEALED];
    region.copyTo(slot + Long.BYTES, sealed, 0, SEALED);
    return sealed;
  }

  /** Stores an encrypted record, and then the sequence. */
  public static void store(Region region, long slot, long sequence, byte[] sealed) {
    SlotLayout.kill(region, slot); // what is stored in part is no entry
    VarHandle.storeStoreFence();
    region.copyFrom(slot + Long.BYTES, sealed, 0, SEALED);
    SlotLayout.publish(region, slot, sequence);
  }

  /** Ends the entry of a slot, so that its sequence alone does not bring it back. */
  public static void wipe(Region region, long slot) {
    SlotLayout.kill(region, slot);
    region.fill(slot + Long.BYTES, SEALED, (byte) 0);
  }
}
