package io.everheap.block;

import io.everheap.engine.RegionFile;
import io.everheap.memory.Region;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A fixed number of bytes outside of all transactions, for experts who bring their own protocol:
 * stores go directly to a mapped file beside the heap, and {@link #force} makes a range of them
 * durable. On a DAX file system that is a write-back of cache lines and a fence, elsewhere an
 * {@code fdatasync} of the file.
 *
 * <p><b>Nothing else is promised.</b> After a power cut, bytes that were not forced may have their
 * old or their new value: on DAX each aligned word of 8 bytes independently, elsewhere each sector
 * of 512 bytes. A killed process loses nothing. A rollback undoes nothing here. After a failed
 * force, it is unknown what is durable, and each further force throws {@link
 * io.everheap.error.StoppedException}.
 *
 * <p>{@code Salvage} copies regions as they are, since only the program knows their format.
 *
 * <p>A region is created atomically with all its space, so no store fails on a full disk. Values
 * are little-endian. Offsets are checked. Threads that share a region must synchronize their
 * accesses; {@link #getLongAcquire} and {@link #setLongRelease} help. After the heap is closed, or
 * the region removed, every access throws {@link io.everheap.error.ClosedException}.
 *
 * @since 0.9
 */
@Stable
public final class UnloggedRegion {
  private final String name;
  private final RegionFile file;
  private final Region region;
  private final long size;

  UnloggedRegion(String name, RegionFile file) {
    this.name = name;
    this.file = file;
    this.region = file.region();
    this.size = file.bytes();
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** The size in bytes. */
  public long size() {
    return size;
  }

  private long at(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size);
    file.requireOpen();
    return RegionFile.offset(offset);
  }

  private long writable(long offset, long length) {
    file.requireWritable();
    return at(offset, length);
  }

  private long load(long offset, int width) {
    long at = at(offset, width);
    try {
      return switch (width) {
        case 1 -> region.getByte(at);
        case 2 -> region.getShort(at);
        case 4 -> region.getInt(at);
        default -> region.getLong(at);
      };
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  private void store(long offset, long value, int width) {
    long at = writable(offset, width);
    try {
      switch (width) {
        case 1 -> region.putByte(at, (byte) value);
        case 2 -> region.putShort(at, (short) value);
        case 4 -> region.putInt(at, (int) value);
        default -> region.putLong(at, value);
      }
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  /**
   * The exception for an access during which the memory was closed; usually the heap was closed.
   */
  private IllegalStateException closed(IllegalStateException e) {
    file.requireOpen();
    return e;
  }

  /** Loads a byte at any offset. */
  public byte getByte(long offset) {
    return (byte) load(offset, 1);
  }

  /** Loads a short at any offset. */
  public short getShort(long offset) {
    return (short) load(offset, 2);
  }

  /** Loads an int at any offset. */
  public int getInt(long offset) {
    return (int) load(offset, 4);
  }

  /** Loads a long at any offset. */
  public long getLong(long offset) {
    return load(offset, 8);
  }

  /** Loads a float at any offset. */
  public float getFloat(long offset) {
    return Float.intBitsToFloat((int) load(offset, 4));
  }

  /** Loads a double at any offset. */
  public double getDouble(long offset) {
    return Double.longBitsToDouble(load(offset, 8));
  }

  /** Loads a char at any offset. */
  public char getChar(long offset) {
    return (char) load(offset, 2);
  }

  /** Loads a boolean at any offset. */
  public boolean getBoolean(long offset) {
    return load(offset, 1) != 0;
  }

  /** Stores a byte at any offset. */
  public void setByte(long offset, byte value) {
    store(offset, value, 1);
  }

  /** Stores a short at any offset. */
  public void setShort(long offset, short value) {
    store(offset, value, 2);
  }

  /** Stores an int at any offset. */
  public void setInt(long offset, int value) {
    store(offset, value, 4);
  }

  /** Stores a long at any offset. */
  public void setLong(long offset, long value) {
    store(offset, value, 8);
  }

  /** Stores a float at any offset. */
  public void setFloat(long offset, float value) {
    store(offset, Float.floatToRawIntBits(value), 4);
  }

  /** Stores a double at any offset. */
  public void setDouble(long offset, double value) {
    store(offset, Double.doubleToRawLongBits(value), 8);
  }

  /** Stores a char at any offset. */
  public void setChar(long offset, char value) {
    store(offset, value, 2);
  }

  /** Stores a boolean at any offset. */
  public void setBoolean(long offset, boolean value) {
    store(offset, value ? 1 : 0, 1);
  }

  /**
   * Loads a long with acquire semantics.
   *
   * @param offset in bytes, a multiple of 8
   */
  public long getLongAcquire(long offset) {
    long at = aligned(at(offset, 8));
    try {
      return region.getLongAcquire(at);
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  /**
   * Stores a long with release semantics.
   *
   * @param offset in bytes, a multiple of 8
   */
  public void setLongRelease(long offset, long value) {
    long at = aligned(writable(offset, 8));
    try {
      region.putLongRelease(at, value);
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  private static long aligned(long at) {
    if ((at & 7) != 0) {
      throw new IllegalArgumentException("the offset is not divisible by 8");
    }
    return at;
  }

  /**
   * Copies bytes of the region to a segment.
   *
   * @param offset of the first byte in the region
   * @param target receives them
   * @param at offset of the first one there
   * @param length how many
   */
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    long from = at(offset, length);
    try {
      region.copyTo(from, target, at, length);
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  /**
   * Copies bytes of a segment to the region.
   *
   * @param offset of the first byte in the region
   * @param source of the bytes
   * @param at offset of the first one there
   * @param length how many
   */
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    long to = writable(offset, length);
    try {
      region.copyFrom(to, source, at, length);
    } catch (IllegalStateException e) {
      throw closed(e);
    }
  }

  /** Stores the same byte everywhere in a range. */
  public void fill(long offset, long length, byte value) {
    long at = writable(offset, length);
    if (length > 0) {
      try {
        region.fill(at, length, value);
      } catch (IllegalStateException e) {
        throw closed(e);
      }
    }
  }

  /**
   * Makes the earlier stores to a range durable; returns when they are.
   *
   * @throws io.everheap.error.MediumException if that failed
   */
  public void force(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size);
    file.force(offset, length);
  }

  /** Makes all earlier stores durable; returns when they are. */
  public void force() {
    force(0, size);
  }

  @Override
  public String toString() {
    return "UnloggedRegion[" + name + ", " + size + " bytes]";
  }
}
