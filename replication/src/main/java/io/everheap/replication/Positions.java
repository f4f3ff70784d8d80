package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Positions and uuids in messages. Stateless. */
final class Positions {
  /** Bytes of a position. */
  static final int LENGTH = 8 + 8 + 4;

  /** Bytes of a uuid. */
  static final int UUID_LENGTH = 16;

  private Positions() {}

  static ByteBuffer put(ByteBuffer b, ReplicaPosition position) {
    return b.putLong(position.line()).putLong(position.lsn()).putInt(position.chain());
  }

  static ReplicaPosition get(ByteBuffer b) {
    return new ReplicaPosition(b.getLong(), b.getLong(), b.getInt());
  }

  static ByteBuffer put(ByteBuffer b, UUID uuid) {
    return b.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
  }

  static UUID uuid(ByteBuffer b) {
    return new UUID(b.getLong(), b.getLong());
  }
}
