package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The message that introduces a replica.
 *
 * @param purpose of the connection
 * @param heap uuid, or that of a journal; zero to join
 * @param position of the replica
 * @param term that it knows
 * @param encrypts whether the replica stores what it gets encrypted
 * @param who the replica is
 */
record Hello(
    Purpose purpose, UUID heap, ReplicaPosition position, long term, boolean encrypts, Who who) {
  private static final int FIXED = 1 + Positions.UUID_LENGTH + Positions.LENGTH + 8 + 1 + 8 + 8;
  private static final int LONGEST_NAME = 200;

  /**
   * Tells replicas from each other.
   *
   * @param id random, kept in the files of the replica; 0 if it is none. A copy of its directory
   *     has the same
   * @param opening random, of this opening: two at the same time are two copies of one replica
   * @param name for people
   */
  record Who(long id, long opening, String name) {
    /** Whoever is no replica. */
    static Who nobody(String name) {
      return new Who(0, 0, name);
    }
  }

  /** What a connection is for. */
  enum Purpose {
    /** A base copy is wanted. */
    JOIN(0),
    /** The log is wanted. */
    FOLLOW(1),
    /** The status is wanted. */
    STATUS(2),
    /** The records of a journal are wanted; where from is said by another message. */
    JOURNAL(3);

    private final int code;

    Purpose(int code) {
      this.code = code;
    }

    private static @Nullable Purpose of(int code) {
      for (Purpose purpose : values()) {
        if (purpose.code == code) {
          return purpose;
        }
      }
      return null;
    }
  }

  byte[] encode() {
    byte[] text = who.name.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_NAME);
    ByteBuffer b = ByteBuffer.allocate(FIXED + length).put((byte) purpose.code);
    Positions.put(b, heap);
    Positions.put(b, position).putLong(term).put((byte) (encrypts ? 1 : 0));
    return b.putLong(who.id).putLong(who.opening).put(text, 0, length).array();
  }

  static Hello decode(ByteBuffer b, String peer) {
    if (b.remaining() < FIXED) {
      throw new ReplicationException(peer + " does not introduce itself.");
    }
    int code = b.get();
    Purpose purpose = Purpose.of(code);
    if (purpose == null) {
      throw new ReplicationException(peer + " wants something unknown: " + code + ".");
    }
    UUID heap = Positions.uuid(b);
    ReplicaPosition position = Positions.get(b);
    long term = b.getLong();
    boolean encrypts = b.get() == 1;
    Who who = new Who(b.getLong(), b.getLong(), Printable.rest(b));
    return new Hello(purpose, heap, position, term, encrypts, who);
  }
}
