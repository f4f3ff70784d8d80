package io.everheap.cli.demo;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A message of the worker process to its parent: 40 bytes, little-endian, written by one system
 * call. Writes to a pipe of up to {@code PIPE_BUF} bytes, which is 512 or more, are atomic (POSIX),
 * so threads need no lock between them.
 *
 * <pre>
 *   0  id       of the acknowledged transfer; LOADED or READY: not an acknowledgement
 *   8  account  for LOADED: how many accounts exist now
 *  16  teller
 *  24  delta
 *  32  balance  of the account, as the transfer left it: the answer TPC-B gives to the terminal
 * </pre>
 */
record Frame(long id, long account, long teller, long delta, long balance) {
  static final int BYTES = 40;

  /** An id that means: loading continues. */
  static final long LOADED = -1;

  /** An id that means: the heap is open and transfers begin. */
  static final long READY = -2;

  static Frame loaded(long accounts) {
    return new Frame(LOADED, accounts, 0, 0, 0);
  }

  static Frame ready() {
    return new Frame(READY, 0, 0, 0, 0);
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(id)
        .putLong(account)
        .putLong(teller)
        .putLong(delta)
        .putLong(balance)
        .array();
  }

  static Frame decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return new Frame(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
  }
}
