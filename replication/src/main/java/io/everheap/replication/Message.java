package io.everheap.replication;

import org.jspecify.annotations.Nullable;

/** The types of messages. */
enum Message {
  /** The first message of each end: {@link Greeting}. */
  GREETING(1),
  /** The primary does not serve this: {@link Refusal}. The connection ends. */
  REFUSED(2),
  /** A part of a base copy. */
  BASE(3),
  /** The base copy is complete. */
  BASE_END(4),
  /** The log follows: {@link Start}, or {@link JournalStart}. */
  START(5),
  /** Parts of the log, or one of a journal's {@link io.everheap.journal.replica.JournalParts}. */
  PARTS(6),
  /**
   * The primary is there: the LSN up to which its log is durable u64; of a journal, the position,
   * and the bytes that the replica has not u64.
   */
  HEARTBEAT(7),
  /** The replica has the log, durably, up to this LSN u64. */
  ACKNOWLEDGED(8),
  /** What a primary is and does: {@link Status}. */
  STATUS(9),
  /** Where a replica of a journal is: a {@link io.everheap.journal.replica.JournalPosition}. */
  POSITION(10),
  /** Introduces a replica, or whoever asks for the status: {@link Hello}. */
  HELLO(11);

  private final int code;

  Message(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The type with a code; null if there is none. */
  static @Nullable Message of(int code) {
    for (Message message : values()) {
      if (message.code == code) {
        return message;
      }
    }
    return null;
  }
}
