package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What the file {@code replica} of a journal says: two slots of a block each, written alternately.
 * A journal that never was a replica has none.
 *
 * <pre>
 *   0       8         12     16           24     32     40   48   56      60
 *   +-------+---------+------+------------+------+------+----+----+-------+-----+
 *   | magic | version | role | generation | term | from | to | id | zeros | crc |
 *   +-------+---------+------+------------+------+------+----+----+-------+-----+
 * </pre>
 *
 * @param replica whether it is one now, and not promoted
 * @param generation of this state; the higher one counts
 * @param term of the primary; see {@link io.everheap.log.Terms}
 * @param from position before which everything was durable when a piece was written
 * @param to position behind that piece: between them, records need not have been written in order
 * @param id random, of this replica
 */
record ReplicaFile(boolean replica, long generation, long term, long from, long to, long id) {
  /** Name of the file. */
  static final String NAME = "replica";

  /** Name of the file while it is made. */
  static final String TEMPORARY = "replica.new";

  /** "EVERJREP", little-endian. */
  static final long MAGIC = 0x5045_524A_5245_5645L;

  static final int VERSION = 1;
  static final int SIZE = 64;

  /** What a journal without the file is. */
  static final ReplicaFile NONE = new ReplicaFile(false, 0, 0, 0, 0, 0);

  private static final int SLOT = 4096;
  private static final int CRC = 60;
  private static final int REPLICA = 1;
  private static final int PROMOTED = 2;

  /** Reads the file. */
  static ReplicaFile read(Medium medium) {
    if (!medium.exists(NAME)) {
      return NONE;
    }
    ReplicaFile a;
    ReplicaFile b;
    try (MediumFile file = medium.open(NAME)) {
      a = slot(file, 0);
      b = slot(file, SLOT);
    }
    ReplicaFile newest = a == null || (b != null && b.generation > a.generation) ? b : a;
    if (newest == null) {
      throw CorruptException.journal(
          medium.location() + "/" + NAME, 0, "neither of its two states is valid");
    }
    return newest;
  }

  /**
   * Reads the file for a process that acts on what it says, and writes it again: what a process
   * that was killed wrote can be read, and need not be durable.
   */
  static ReplicaFile open(Medium medium) {
    ReplicaFile found = read(medium);
    if (found.generation == 0) {
      return found;
    }
    ReplicaFile again = found.as(found.replica, found.term);
    again.write(medium);
    return again;
  }

  /** Opens it; throws if the journal is a replica, which must not be appended to. */
  static void requireNone(Medium medium) {
    if (open(medium).replica) {
      throw new ReplicationException(
          "The journal at "
              + medium.location()
              + " is a replica: appended to, it could never follow its primary again. Open it with"
              + " everheap-replication, promote it (everheap promote), or open it read-only.");
    }
  }

  /** The same, of a replica that has an id. */
  ReplicaFile identified(long newId) {
    return id != 0 ? this : new ReplicaFile(replica, generation, term, from, to, newId);
  }

  /** The next state, in another role. */
  ReplicaFile as(boolean nowReplica, long newTerm) {
    return new ReplicaFile(nowReplica, generation + 1, newTerm, from, to, id);
  }

  /** The next state, before a piece is written. */
  ReplicaFile writing(long newFrom, long newTo) {
    return new ReplicaFile(replica, generation + 1, term, newFrom, newTo, id);
  }

  /** Whether a record at a position says nothing of whether a place before it was durable. */
  boolean provesNothing(long record, long place) {
    return place >= from && record < to;
  }

  /** Writes it durably, into the slot that does not hold the one before. */
  void write(Medium medium) {
    if (medium.exists(NAME)) {
      try (MediumFile file = medium.open(NAME)) {
        file.write(encode(), generation % 2 * SLOT);
        file.sync();
      }
      return;
    }
    if (medium.exists(TEMPORARY)) {
      medium.delete(TEMPORARY);
    }
    try (MediumFile file = medium.create(TEMPORARY)) {
      file.write(ByteBuffer.allocate(2 * SLOT), 0);
      file.write(encode(), generation % 2 * SLOT);
      file.sync();
    }
    medium.rename(TEMPORARY, NAME);
    medium.syncDirectory("");
  }

  private ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, VERSION).putInt(12, replica ? REPLICA : PROMOTED);
    b.putLong(16, generation).putLong(24, term).putLong(32, from).putLong(40, to).putLong(48, id);
    return b.putInt(CRC, crc(b));
  }

  private static @Nullable ReplicaFile slot(MediumFile file, long position) {
    ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    if (file.read(b, position) < SIZE
        || b.getLong(0) != MAGIC
        || b.getInt(8) != VERSION
        || b.getInt(CRC) != crc(b)) {
      return null;
    }
    return new ReplicaFile(
        b.getInt(12) == REPLICA,
        b.getLong(16),
        b.getLong(24),
        b.getLong(32),
        b.getLong(40),
        b.getLong(48));
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, CRC));
    return (int) crc.getValue();
  }
}
