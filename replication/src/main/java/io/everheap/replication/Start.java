package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What log follows.
 *
 * @param heap uuid
 * @param epoch of the log
 * @param position at which it begins, in the primary's own line
 * @param term of the primary
 * @param ancestor of the primary's line
 */
record Start(
    UUID heap, long epoch, ReplicaPosition position, long term, ReplicaPosition.Ancestor ancestor) {
  private static final int LENGTH = 16 + 8 + 8 + 8 + 4 + 8 + 8 + 8 + 4 + 8;

  byte[] encode() {
    return ByteBuffer.allocate(LENGTH)
        .putLong(heap.getMostSignificantBits())
        .putLong(heap.getLeastSignificantBits())
        .putLong(epoch)
        .putLong(position.line())
        .putLong(position.lsn())
        .putInt(position.chain())
        .putLong(term)
        .putLong(ancestor.end().line())
        .putLong(ancestor.end().lsn())
        .putInt(ancestor.end().chain())
        .putLong(ancestor.beginning())
        .array();
  }

  static Start decode(ByteBuffer b, String peer) {
    if (b.remaining() != LENGTH) {
      throw new ReplicationException(peer + " does not say what log it sends.");
    }
    UUID heap = new UUID(b.getLong(), b.getLong());
    long epoch = b.getLong();
    ReplicaPosition position = new ReplicaPosition(b.getLong(), b.getLong(), b.getInt());
    long term = b.getLong();
    ReplicaPosition end = new ReplicaPosition(b.getLong(), b.getLong(), b.getInt());
    return new Start(heap, epoch, position, term, new ReplicaPosition.Ancestor(end, b.getLong()));
  }
}
