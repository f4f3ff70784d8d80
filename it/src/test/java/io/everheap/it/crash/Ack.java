package io.everheap.it.crash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a worker tells the outside: 32 bytes, little-endian, written by one system call.
 *
 * <pre>
 *   0  kind    code of a {@link Kind}
 *   8  heap    number of the heap in the order
 *  16  commit  number of the commit; 1 is the heap's first
 *  24  nanos   of the worker's clock: see {@link Kind}
 * </pre>
 */
record Ack(Kind kind, int heap, long commit, long nanos) {
  static final int BYTES = 32;

  /** What is told. */
  enum Kind {
    /** It is the last one that was found when the heap was opened, and all is in order. */
    RECOVERED(1),
    /** Its call returned, at this time: it survives the end of the process. */
    RETURNED(2),
    /** It survives power loss, says the library; a sync that was asked for took this long. */
    DURABLE(3),
    /** Not about a heap: so many pages of a control file were lost, of so many. */
    LOST(4);

    private final long code;

    Kind(long code) {
      this.code = code;
    }

    private static Kind of(long code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("kind " + code);
    }
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(kind.code)
        .putLong(heap)
        .putLong(commit)
        .putLong(nanos)
        .array();
  }

  /**
   * Reads the bytes.
   *
   * @throws IllegalArgumentException if they are no acknowledgement
   */
  static Ack decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return new Ack(Kind.of(in.getLong()), (int) in.getLong(), in.getLong(), in.getLong());
  }
}
