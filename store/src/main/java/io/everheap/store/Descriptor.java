package io.everheap.store;

import io.everheap.HeapAnchor;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code store}: what the directory is, how many shards it has, and of which session they
 * are. It is replaced as a whole: written under another name, synced, renamed.
 *
 * <pre>
 *  0  8  magic "EHSTORE\0"
 *  8  4  version: 1 without sessions, 2
 * 12  4  number of shards
 * 16  4  number of shards that it changes to; the same if it does not
 * 20  4  1 until all shards were created for the first time, else 0
 * 24 16  id of the store
 * </pre>
 *
 * In version 1 the CRC-32C of these bytes follows, in 4 bytes. In version 2:
 *
 * <pre>
 * 40 16  id of the session; 0 if the shards have none yet
 * 56  4  length of the anchors
 * 60     anchors of the first shards in ASCII, with a line feed after each
 *     4  CRC-32C of the bytes before
 * </pre>
 *
 * All numbers are little-endian.
 *
 * @param id of the store, which each shard also has
 * @param shards number of them
 * @param target number of shards that it changes to; the same if it does not
 * @param creating whether shards may be missing, because they are being created
 * @param session that the shards have; null in version 1
 */
record Descriptor(UUID id, int shards, int target, boolean creating, @Nullable Session session) {
  /** Name of the file. */
  static final String FILE = "store";

  /** Most shards; part of the format. */
  static final int MAX_SHARDS = 256;

  private static final String NEW_FILE = "store.new";
  private static final long MAGIC = 0x0045_524F_5453_4845L; // "EHSTORE\0"
  private static final int VERSION = 2;
  private static final int HEADER = 40;
  private static final int SESSION = 60;
  private static final int CRC = 4;
  private static final int MAX_SIZE = 1 << 20;
  private static final UUID NONE = new UUID(0, 0);

  /** Version of the format. */
  int version() {
    return session == null ? 1 : VERSION;
  }

  /** The number of shards that hold keys, or are getting some. */
  int used() {
    return Math.max(shards, target);
  }

  /** The same store with another placement and session, and with all shards. */
  Descriptor with(Placement placement, @Nullable Session other) {
    return new Descriptor(id, placement.from(), placement.to(), false, other);
  }

  /** Reads the file. */
  static Descriptor read(Medium medium) {
    String place = medium.location() + "/" + FILE;
    try (MediumFile file = medium.open(FILE)) {
      int size = (int) Math.min(file.size(), MAX_SIZE);
      ByteBuffer bytes =
          ByteBuffer.allocate(Math.max(size, SESSION)).order(ByteOrder.LITTLE_ENDIAN);
      file.read(bytes, 0);
      bytes.clear();
      int version = bytes.getInt(8);
      boolean isOurs = size > HEADER && bytes.getLong(0) == MAGIC;
      if (isOurs && (version < 1 || version > VERSION)) {
        throw ForeignException.version(place, version, VERSION);
      }
      int end = version == 1 ? HEADER : SESSION + Math.clamp(bytes.getInt(56), 0, MAX_SIZE);
      // An encrypted file has whole sectors: zeros follow.
      boolean isComplete = isOurs && (medium.encrypted() ? size >= end + CRC : size == end + CRC);
      if (!isComplete || bytes.getInt(end) != crc(bytes, end) || !hasShards(bytes)) {
        SealedMedium.requirePlain(medium, file);
        throw CorruptException.heap(
            place
                + " is damaged: restore it from a backup; the shards are heaps and may be intact");
      }
      return new Descriptor(
          uuid(bytes, 24),
          bytes.getInt(12),
          bytes.getInt(16),
          bytes.getInt(20) != 0,
          version == 1 ? null : session(bytes, end, place));
    }
  }

  private static boolean hasShards(ByteBuffer bytes) {
    int shards = bytes.getInt(12);
    int target = bytes.getInt(16);
    return Math.min(shards, target) > 0 && Math.max(shards, target) <= MAX_SHARDS;
  }

  private static Session session(ByteBuffer bytes, int end, String place) {
    String lines = StandardCharsets.US_ASCII.decode(bytes.slice(SESSION, end - SESSION)).toString();
    try {
      List<HeapAnchor> anchors = lines.lines().map(HeapAnchor::parse).toList();
      UUID id = uuid(bytes, HEADER);
      return new Session(id.equals(NONE) ? null : id, anchors);
    } catch (IllegalArgumentException e) {
      throw CorruptException.heap(place + " is damaged: " + e.getMessage());
    }
  }

  private static UUID uuid(ByteBuffer bytes, int at) {
    return new UUID(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
  }

  private static void put(ByteBuffer bytes, @Nullable UUID id) {
    UUID stored = id == null ? NONE : id;
    bytes.putLong(stored.getMostSignificantBits()).putLong(stored.getLeastSignificantBits());
  }

  /** Replaces the file; durable on return. */
  void write(Medium medium) {
    byte[] anchors = session == null ? new byte[0] : session.lines();
    int end = session == null ? HEADER : SESSION + anchors.length;
    ByteBuffer bytes = ByteBuffer.allocate(end + CRC).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(MAGIC).putInt(version());
    bytes.putInt(shards).putInt(target).putInt(creating ? 1 : 0);
    put(bytes, id);
    if (session != null) {
      put(bytes, session.id());
      bytes.putInt(anchors.length).put(anchors);
    }
    bytes.putInt(crc(bytes, end)).flip();
    medium.delete(NEW_FILE);
    try (MediumFile file = medium.create(NEW_FILE)) {
      file.write(bytes, 0);
      file.sync();
    }
    medium.rename(NEW_FILE, FILE);
    medium.syncDirectory("");
  }

  @SuppressWarnings("ByteBufferBackingArray") // it was allocated here
  private static int crc(ByteBuffer bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, length);
    return (int) crc.getValue();
  }
}
