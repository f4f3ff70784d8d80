package io.everheap.replication;

import io.everheap.error.ReplicationException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Why a primary does not serve a replica.
 *
 * @param reason the kind of refusal
 * @param text for people
 */
record Refusal(Reason reason, String text) {
  /** The kinds of refusals. */
  enum Reason {
    /** The replica's state is not one from which the log goes on: it must be made anew. */
    ANEW(0),
    /** The primary has been replaced by one of a higher term. */
    FENCED(1),
    /** It may be served later. */
    LATER(2),
    /** It will never be served. */
    NEVER(3),
    /** A copy for another replica is being made: it is served after that. */
    BUSY(4);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    private static Reason of(int code) {
      for (Reason reason : values()) {
        if (reason.code == code) {
          return reason;
        }
      }
      return NEVER;
    }
  }

  byte[] encode() {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + bytes.length).put((byte) reason.code).put(bytes).array();
  }

  static Refusal decode(ByteBuffer b) {
    int reason = b.hasRemaining() ? b.get() : -1;
    return new Refusal(Reason.of(reason), Printable.rest(b));
  }

  RefusedException exception(String peer) {
    return new RefusedException(reason, peer + " refused: " + text);
  }

  /** The exception for a refusal that anyone can have sent: another attempt may be served. */
  RefusedException unproven(String peer) {
    return new Refusal(Reason.LATER, text).exception(peer);
  }

  /** A refusal that arrived; a {@link ReplicationException} for callers. */
  static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Reason reason;

    RefusedException(Reason reason, String message) {
      super(message);
      this.reason = reason;
    }

    Reason reason() {
      return reason;
    }

    /** Whether a replica that is opened is refused, and does not try again. */
    boolean isLasting() {
      return reason == Reason.ANEW || reason == Reason.NEVER;
    }
  }
}
