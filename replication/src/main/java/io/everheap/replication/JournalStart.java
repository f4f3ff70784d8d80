package io.everheap.replication;

import io.everheap.error.ReplicationException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What records follow.
 *
 * @param journal uuid
 * @param term of the primary
 * @param oldest sequence of the first record in the primary's oldest segment
 * @param segmentSize of new segments
 */
record JournalStart(UUID journal, long term, long oldest, int segmentSize) {
  private static final int LENGTH = Positions.UUID_LENGTH + 8 + 8 + 4;

  byte[] encode() {
    ByteBuffer b = Positions.put(ByteBuffer.allocate(LENGTH), journal);
    return b.putLong(term).putLong(oldest).putInt(segmentSize).array();
  }

  static JournalStart decode(ByteBuffer b, String peer) {
    if (b.remaining() != LENGTH) {
      throw new ReplicationException(peer + " does not say what records it sends.");
    }
    return new JournalStart(Positions.uuid(b), b.getLong(), b.getLong(), b.getInt());
  }
}
