package io.everheap.journal;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.memory.PersistentFile;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A mapped file, or a window of it, as a buffer, with a {@code force} of a range that fits the
 * medium: on persistent memory it writes back the cache lines of the range and fences, without a
 * call of the operating system; on an ordinary file it lets the system write the pages of the
 * range.
 *
 * <pre>{@code
 * try (PersistentBuffer counters = PersistentBuffer.map(Path.of("counters"), 4096)) {
 *   counters.buffer().putLong(8, 42);
 *   counters.force(8, 16);
 * }
 * }</pre>
 *
 * <p>This is the buffer of JEP 352 without its pitfalls: it is mapped as persistent memory where
 * the file system offers that, its file has all its space before it is mapped, so that no store can
 * meet a full disk, and an interrupt does no harm. What is stored but not forced may or may not
 * survive, in any order, in pieces of 8 bytes at least. Use {@link Journal} for records that are
 * whole or not there.
 *
 * <p>Any thread may use the memory; the buffer of {@link #buffer} has a position of its own each
 * time it is asked for.
 *
 * @since 0.9
 */
@Stable
public final class PersistentBuffer implements AutoCloseable {
  private final PersistentFile file;
  private final boolean readOnly;

  private PersistentBuffer(PersistentFile file, boolean readOnly) {
    this.file = file;
    this.readOnly = readOnly;
  }

  /**
   * Maps a file, and creates it, readable by its owner only, if there is none. A file that is
   * shorter grows with zeros, durably. A file with holes gets its space now: where it is all zeros,
   * it is written with zeros, so no other mapping may be stored to meanwhile.
   *
   * @param path of the file
   * @param size bytes to map from its start, positive
   * @return the buffer, to be closed
   * @throws DiskFullException if there is no room
   * @throws EverheapException if the file cannot be used
   */
  public static PersistentBuffer map(Path path, long size) {
    return map(path, 0, size);
  }

  /**
   * Maps a window of a file, as {@link #map(Path, long)} maps its start. A file that is shorter
   * grows to the end of the window, with zeros that are written before the window too. The window
   * gets its space now: where it is all zeros, it is written with zeros, so no other mapping may be
   * stored to meanwhile. After that, windows of a file may overlap.
   *
   * @param path of the file
   * @param from where the window starts in the file; of what is not forced, pieces of 8 bytes
   *     survive as a whole at multiples of 8 in the file
   * @param size bytes to map, positive
   * @return the buffer, to be closed; positions in it start at the window
   * @throws DiskFullException if there is no room
   * @throws EverheapException if the file cannot be used
   */
  public static PersistentBuffer map(Path path, long from, long size) {
    requireWindow(path, from, size);
    return new PersistentBuffer(PersistentFile.open(path, from, size), false);
  }

  /**
   * Maps a window of an existing file for reading. The file is not changed. What other mappings
   * store to it is seen; what was not forced may be lost later.
   *
   * @param path of the file, which must reach to the end of the window
   * @param from where the window starts in the file; any position
   * @param size bytes to map, positive
   * @return the buffer, to be closed; stores to its memory and {@link #force} are refused
   * @throws EverheapException if there is no such file, or it is shorter
   */
  public static PersistentBuffer mapReadOnly(Path path, long from, long size) {
    requireWindow(path, from, size);
    return new PersistentBuffer(PersistentFile.read(path, from, size), true);
  }

  private static void requireWindow(Path path, long from, long size) {
    Objects.requireNonNull(path, "path");
    if (size <= 0) {
      throw new IllegalArgumentException("size: " + size);
    }
    if (from < 0 || from > Long.MAX_VALUE - size) {
      throw new IllegalArgumentException("from: " + from);
    }
  }

  /**
   * Tells whether {@link #force} works without the operating system.
   *
   * @return whether the file is on persistent memory; false if it was mapped for reading
   */
  public boolean isPersistentMemory() {
    return file.direct();
  }

  /**
   * Returns the bytes as a buffer.
   *
   * @return a direct little-endian buffer over the window, at position 0
   * @throws UnsupportedOperationException if the size is 2 GiB or more
   */
  public ByteBuffer buffer() {
    return segment().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns the bytes as memory.
   *
   * @return a segment over the window, valid until {@link #close}
   */
  public MemorySegment segment() {
    MemorySegment all = file.region().claim(0, file.region().size());
    return readOnly ? all.asReadOnly() : all;
  }

  /**
   * Makes a range durable.
   *
   * @param from where it starts
   * @param to where it ends
   * @throws IndexOutOfBoundsException if there are no such bytes
   * @throws EverheapException if that fails: then it is unknown which bytes are durable
   * @throws UnsupportedOperationException if the file was mapped for reading
   */
  public void force(long from, long to) {
    if (readOnly) {
      throw new UnsupportedOperationException("the file is mapped for reading only");
    }
    Objects.checkFromToIndex(from, to, file.region().size());
    if (from < to) {
      file.force(from, to - from);
    }
  }

  /** Unmaps the file; later use throws {@link IllegalStateException}. Makes nothing durable. */
  @Override
  public void close() {
    file.close();
  }
}
