package io.everheap.store;

import io.everheap.error.BackupException;
import io.everheap.error.ForeignException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The file of a backup of a store: which backups of its shards belong together. It is written when
 * they are durable, under another name, synced, and renamed; so a backup has its file or is none.
 *
 * <pre>
 *  0  8  magic "EHSTBAK\0"
 *  8  4  version, 1
 * 12  4  kind: 0 full, 1 incremental
 * 16 16  id of the store
 * 32  8  when it was complete, in milliseconds since 1970
 * 40  8  size of the home images
 * 48  8  size of the backups
 * 56  4  number of shards
 * 60  4  number of shards that it changed to; the same if it did not
 * 64 16  id of the backup of each shard; as many as the greater of both numbers
 *     4  CRC-32C of the bytes before
 * </pre>
 *
 * All numbers are little-endian.
 */
final class BackupManifest {
  /** How the names of these files end. */
  static final String SUFFIX = ".store-backup";

  private static final String UNFINISHED = "unfinished.new";
  private static final long MAGIC = 0x004B_4142_5453_4845L; // "EHSTBAK\0"
  private static final int VERSION = 1;
  private static final int HEADER = 64;
  private static final int ID = 16;
  private static final int CRC = 4;
  private static final int MAX_SIZE = HEADER + Descriptor.MAX_SHARDS * ID + CRC;

  private BackupManifest() {}

  /** Writes the file of a backup; durable on return. */
  static void write(StoreBackup backup, Medium medium) {
    int size = HEADER + backup.heaps().size() * ID + CRC;
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(backup.kind() == Backup.Kind.FULL ? 0 : 1);
    put(bytes, backup.store());
    bytes.putLong(backup.created().toEpochMilli());
    bytes.putLong(backup.heapBytes()).putLong(backup.bytes());
    bytes.putInt(backup.shards()).putInt(backup.target());
    backup.heaps().forEach(id -> put(bytes, id));
    bytes.putInt(crc(bytes, size - CRC)).flip();
    medium.delete(UNFINISHED);
    try (MediumFile file = medium.create(UNFINISHED)) {
      file.write(bytes, 0);
      file.sync();
    }
    medium.rename(UNFINISHED, backup.name());
    medium.syncDirectory("");
  }

  /** Reads the file of a backup. */
  static StoreBackup read(Medium medium, String name) {
    String place = medium.location() + "/" + name;
    ByteBuffer bytes = ByteBuffer.allocate(MAX_SIZE + 1).order(ByteOrder.LITTLE_ENDIAN);
    int size;
    try (MediumFile file = medium.open(name)) {
      size = file.read(bytes, 0);
      if (bytes.getLong(0) != MAGIC) {
        SealedMedium.requirePlain(medium, file);
      }
    }
    if (size >= 12 && bytes.getLong(0) == MAGIC && bytes.getInt(8) != VERSION) {
      throw ForeignException.version(place, bytes.getInt(8), VERSION);
    }
    int shards = bytes.getInt(56);
    int target = bytes.getInt(60);
    int count = Math.max(shards, target);
    boolean plausible =
        bytes.getLong(0) == MAGIC && Math.min(shards, target) > 0 && count <= Descriptor.MAX_SHARDS;
    int wanted = plausible ? HEADER + count * ID + CRC : 0;
    boolean whole =
        plausible
            && (medium.encrypted() ? size > wanted : size == wanted) // zeros behind
            && bytes.getInt(wanted - CRC) == crc(bytes, wanted - CRC);
    if (!whole) {
      throw new BackupException(place + " is damaged: restore another backup of the store.");
    }
    List<UUID> heaps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      heaps.add(id(bytes, HEADER + i * ID));
    }
    return new StoreBackup(
        name,
        bytes.getInt(12) == 0 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL,
        Instant.ofEpochMilli(bytes.getLong(32)),
        id(bytes, 16),
        shards,
        target,
        heaps,
        bytes.getLong(40),
        bytes.getLong(48));
  }

  private static void put(ByteBuffer bytes, UUID id) {
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID id(ByteBuffer bytes, int at) {
    return new UUID(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
  }

  @SuppressWarnings("ByteBufferBackingArray") // it was allocated here
  private static int crc(ByteBuffer bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, length);
    return (int) crc.getValue();
  }
}
