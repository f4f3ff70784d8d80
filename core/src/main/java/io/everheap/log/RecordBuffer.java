package io.everheap.log;

import io.everheap.memory.Region;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The buffer in which a record is built before it is copied to the log: an array, because stores to
 * it and its checksum are cheaper than those of a mapping. Not thread-safe.
 */
public final class RecordBuffer {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;

  /** Creates a buffer of zeros; the size is in bytes. */
  public RecordBuffer(int size) {
    this.bytes = new byte[size];
  }

  /** The bytes. */
  public byte[] array() {
    return bytes;
  }

  /** Stores a word. */
  public void putLong(int at, long value) {
    LONG.set(bytes, at, value);
  }

  /** Stores consecutive words. */
  public void putLongs(int at, long[] source, int from, int count) {
    byte[] target = bytes;
    for (int i = 0; i < count; i++) {
      LONG.set(target, at + 8 * i, source[from + i]);
    }
  }

  /** Stores two consecutive values of 4 bytes. */
  public void putInts(int at, int first, int second) {
    LONG.set(bytes, at, (long) second << 32 | (first & 0xffff_ffffL));
  }

  /** Copies bytes of a region in. */
  public void copyFrom(int at, Region source, long offset, int length) {
    source.copyTo(offset, bytes, at, length);
  }
}
