package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The first message.
 *
 * @param purpose of the connection
 * @param heap uuid, or that of a journal; zero to join
 * @param position of the replica
 * @param term that it knows
 * @param created when the replica was made, in milliseconds since 1970; 0 if it is none; of a
 *     replica of a journal a random number
 * @param encrypts whether the replica stores what it gets encrypted
 * @param name of the replica; with the time it identifies one
 */
record Hello(
    Purpose purpose,
    UUID heap,
    ReplicaPosition position,
    long term,
    long created,
    boolean encrypts,
    String name) {
  private static final long MAGIC = 0x4556_4552_5245_504CL; // "EVERREPL"
  private static final int VERSION = 2;
  private static final int FIXED = 8 + 2 + 1 + Positions.UUID_LENGTH + Positions.LENGTH + 8 + 8 + 1;
  private static final int LONGEST_NAME = 200;

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
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, LONGEST_NAME);
    ByteBuffer b = ByteBuffer.allocate(FIXED + length);
    b.putLong(MAGIC).putShort((short) VERSION).put((byte) purpose.code);
    Positions.put(b, heap);
    Positions.put(b, position).putLong(term).putLong(created).put((byte) (encrypts ? 1 : 0));
    return b.put(text, 0, length).array();
  }

  static Hello decode(ByteBuffer b, String peer) {
    if (b.remaining() < FIXED || b.getLong() != MAGIC) {
      throw new ReplicationException(peer + " does not speak this protocol.");
    }
    int version = b.getShort();
    if (version != VERSION) {
      throw new ReplicationException(
          peer
              + " speaks version "
              + version
              + " of the protocol, and this library version "
              + VERSION
              + ": use the same version of the library on both sides.");
    }
    int code = b.get();
    Purpose purpose = Purpose.of(code);
    if (purpose == null) {
      throw new ReplicationException(peer + " wants something unknown: " + code + ".");
    }
    UUID heap = Positions.uuid(b);
    ReplicaPosition position = Positions.get(b);
    long term = b.getLong();
    long created = b.getLong();
    boolean encrypts = b.get() == 1;
    byte[] text = new byte[b.remaining()];
    b.get(text);
    return new Hello(
        purpose, heap, position, term, created, encrypts, new String(text, StandardCharsets.UTF_8));
  }
}
