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
  private static final int LENGTH =
      Positions.UUID_LENGTH + 8 + Positions.LENGTH + 8 + Positions.LENGTH + 8;

  byte[] encode() {
    ByteBuffer b = ByteBuffer.allocate(LENGTH);
    Positions.put(b, heap).putLong(epoch);
    Positions.put(b, position).putLong(term);
    return Positions.put(b, ancestor.end()).putLong(ancestor.beginning()).array();
  }

  static Start decode(ByteBuffer b, String peer) {
    if (b.remaining() != LENGTH) {
      throw new ReplicationException(peer + " does not say what log it sends.");
    }
    UUID heap = Positions.uuid(b);
    long epoch = b.getLong();
    ReplicaPosition position = Positions.get(b);
    if (position.line() == 0 || position.lsn() < 0) { // a replica without a line is a primary
      throw new ReplicationException(peer + " sends the log from a place that no log has.");
    }
    long term = b.getLong();
    ReplicaPosition end = Positions.get(b);
    return new Start(heap, epoch, position, term, new ReplicaPosition.Ancestor(end, b.getLong()));
  }
}
