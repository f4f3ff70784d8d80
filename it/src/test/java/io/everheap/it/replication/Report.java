package io.everheap.it.replication;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * What a {@link RegisterNode} tells the test.
 *
 * @param about what
 * @param client of the node
 * @param kind of the operation, by its number
 * @param key of the register
 * @param value that is written
 * @param expected by a comparison
 * @param found in the register, when it is over
 * @param sequence number of the operation; of the last one, if the node is ready
 * @param nanos of the machine's monotonic clock
 */
record Report(
    byte about,
    int client,
    int kind,
    int key,
    long value,
    long expected,
    long found,
    long sequence,
    long nanos) {
  /** Bytes of a report. */
  static final int BYTES = 1 + 3 * Integer.BYTES + 5 * Long.BYTES;

  /** A replica follows. */
  static final byte FOLLOWS = 0;

  /** A primary listens, and its clients begin. */
  static final byte SERVES = 1;

  /** A primary was refused, since another one was promoted. */
  static final byte FENCED = 2;

  /** A client calls. */
  static final byte CALLED = 3;

  /** A call returned. */
  static final byte RETURNED = 4;

  private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

  static Report decode(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    return new Report(
        b.get(),
        b.getInt(),
        b.getInt(),
        b.getInt(),
        b.getLong(),
        b.getLong(),
        b.getLong(),
        b.getLong(),
        b.getLong());
  }

  static void tell(byte about, long sequence) {
    new Report(about, 0, 0, 0, 0, 0, 0, sequence, System.nanoTime()).tell();
  }

  /** Writes it at once, so that it survives the end of the process. */
  void tell() {
    byte[] bytes =
        ByteBuffer.allocate(BYTES)
            .put(about)
            .putInt(client)
            .putInt(kind)
            .putInt(key)
            .putLong(value)
            .putLong(expected)
            .putLong(found)
            .putLong(sequence)
            .putLong(nanos)
            .array();
    try {
      OUT.write(bytes);
    } catch (IOException e) {
      Runtime.getRuntime().halt(3); // the test has ended
    }
  }
}
