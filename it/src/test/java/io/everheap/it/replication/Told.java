package io.everheap.it.replication;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * What a process tells the test.
 *
 * @param kind what
 * @param thread a writer of the primary
 * @param number its number, or a port
 */
record Told(byte kind, int thread, long number) {
  /** Bytes of a frame. */
  static final int BYTES = 13;

  /** It can be used; the number is its port. */
  static final byte READY = 0;

  /** What a writer found: the last number that it wrote. */
  static final byte FOUND = 1;

  /** A commit of a writer returned. */
  static final byte COMMITTED = 2;

  /** The primary's status says that a replica has this commit. */
  static final byte COPIED = 3;

  private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

  static Told decode(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    return new Told(b.get(), b.getInt(), b.getLong());
  }

  static void tell(byte kind, int thread, long number) {
    try {
      OUT.write(ByteBuffer.allocate(BYTES).put(kind).putInt(thread).putLong(number).array());
    } catch (IOException e) {
      Runtime.getRuntime().halt(3); // the test has ended
    }
  }
}
