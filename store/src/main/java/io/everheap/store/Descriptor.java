package io.everheap.store;

import io.everheap.error.CorruptHeapException;
import io.everheap.error.FormatVersionException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The file {@code store}: what the directory is, and how many shards it has. It is replaced as a
 * whole: written under another name, synced, renamed.
 *
 * <pre>
 *  0  8  magic "EHSTORE\0"
 *  8  4  version, 1
 * 12  4  number of shards
 * 16  4  number of shards that it changes to; the same if it does not
 * 20  4  1 until all shards were created for the first time, else 0
 * 24 16  id of the store
 * 40  4  CRC-32C of the bytes before
 * </pre>
 *
 * All numbers are little-endian.
 *
 * @param id of the store, which each shard also has
 * @param shards number of them
 * @param target number of shards that it changes to; the same if it does not
 * @param creating whether shards may be missing, because they are being created
 */
record Descriptor(UUID id, int shards, int target, boolean creating) {
  /** Name of the file. */
  static final String FILE = "store";

  /** Most shards; part of the format. */
  static final int MAX_SHARDS = 256;

  private static final String NEW_FILE = "store.new";
  private static final long MAGIC = 0x0045_524F_5453_4845L; // "EHSTORE\0"
  private static final int VERSION = 1;
  private static final int SIZE = 44;
  private static final int CHECKED = 40;

  /** Reads the file. */
  static Descriptor read(Medium medium) {
    String place = medium.location() + "/" + FILE;
    ByteBuffer bytes = ByteBuffer.allocate(SIZE + 1).order(ByteOrder.LITTLE_ENDIAN);
    try (MediumFile file = medium.open(FILE)) {
      int size = file.read(bytes, 0);
      if (size >= 12 && bytes.getLong(0) == MAGIC && bytes.getInt(8) != VERSION) {
        throw new FormatVersionException(place, bytes.getInt(8), VERSION);
      }
      boolean whole = medium.encrypted() ? size > SIZE : size == SIZE; // zeros behind
      if (!whole || bytes.getLong(0) != MAGIC || bytes.getInt(CHECKED) != crc(bytes)) {
        SealedMedium.requirePlain(medium, file);
        throw new CorruptHeapException(
            place + " is damaged: restore it from a backup; the shards are heaps and may be whole");
      }
    }
    return new Descriptor(
        new UUID(bytes.getLong(24), bytes.getLong(32)),
        bytes.getInt(12),
        bytes.getInt(16),
        bytes.getInt(20) != 0);
  }

  /** Replaces the file; durable on return. */
  void write(Medium medium) {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(shards).putInt(target).putInt(creating ? 1 : 0);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    bytes.putInt(crc(bytes)).flip();
    medium.delete(NEW_FILE);
    try (MediumFile file = medium.create(NEW_FILE)) {
      file.write(bytes, 0);
      file.sync();
    }
    medium.rename(NEW_FILE, FILE);
    medium.syncDirectory("");
  }

  @SuppressWarnings("ByteBufferBackingArray") // it was allocated here
  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, CHECKED);
    return (int) crc.getValue();
  }
}
