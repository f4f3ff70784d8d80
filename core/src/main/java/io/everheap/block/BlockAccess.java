package io.everheap.block;

import io.everheap.block.store.BlockStore;
import io.everheap.engine.tx.Transactions;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * Reading and writing a {@link Block}, or a {@link BlockRange} of it: values of all primitive types
 * at any offset, little-endian, and copies. Each method checks that the bytes it reads or writes
 * lie within the block; sizes and offsets near {@link Long#MAX_VALUE} do not overflow.
 *
 * <p>A read sees the state of one commit, whatever its length and alignment. A write is a
 * transaction of its own, or a part of the one that this thread runs.
 *
 * @since 0.9
 */
@Stable
public abstract class BlockAccess {
  BlockAccess() {}

  /** Loads the bytes of a value, the first one lowest; the bits above them are arbitrary. */
  abstract long load(long offset, int width);

  abstract void store(long offset, long value, int width);

  abstract void load(long offset, MemorySegment target, long at, long length);

  abstract void store(long offset, MemorySegment source, long at, long length);

  abstract void storeEverywhere(long offset, long length, byte value);

  /**
   * Returns a byte at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final byte getByte(long offset) {
    return (byte) load(offset, 1);
  }

  /**
   * Returns a short at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final short getShort(long offset) {
    return (short) load(offset, 2);
  }

  /**
   * Returns an int at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final int getInt(long offset) {
    return (int) load(offset, 4);
  }

  /**
   * Returns a long at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final long getLong(long offset) {
    return load(offset, 8);
  }

  /**
   * Returns a float at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final float getFloat(long offset) {
    return Float.intBitsToFloat((int) load(offset, 4));
  }

  /**
   * Returns a double at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final double getDouble(long offset) {
    return Double.longBitsToDouble(load(offset, 8));
  }

  /**
   * Returns a char at an offset.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final char getChar(long offset) {
    return (char) load(offset, 2);
  }

  /**
   * Returns whether the byte at an offset is not 0.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final boolean getBoolean(long offset) {
    return (byte) load(offset, 1) != 0;
  }

  /**
   * Stores a byte at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setByte(long offset, byte value) {
    store(offset, value & 0xff, 1);
  }

  /**
   * Stores a short at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setShort(long offset, short value) {
    store(offset, value, 2);
  }

  /**
   * Stores an int at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setInt(long offset, int value) {
    store(offset, value, 4);
  }

  /**
   * Stores a long at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setLong(long offset, long value) {
    store(offset, value, 8);
  }

  /**
   * Stores a float at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store; the bits of a NaN stay as they are
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setFloat(long offset, float value) {
    store(offset, Float.floatToRawIntBits(value), 4);
  }

  /**
   * Stores a double at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store; the bits of a NaN stay as they are
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setDouble(long offset, double value) {
    store(offset, Double.doubleToRawLongBits(value), 8);
  }

  /**
   * Stores a char at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setChar(long offset, char value) {
    store(offset, value, 2);
  }

  /**
   * Stores a byte, 1 or 0, at an offset, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @param value to store
   * @throws IndexOutOfBoundsException if it does not lie in the block
   * @throws io.everheap.error.GoneException if the block was freed
   */
  public final void setBoolean(long offset, boolean value) {
    store(offset, value ? 1 : 0, 1);
  }

  /**
   * Copies bytes of the block to an array.
   *
   * @param offset of the first byte in the block
   * @param target receives them
   * @param at index of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if the block or the array is too short; nothing was copied
   */
  public final void copyTo(long offset, byte[] target, int at, int length) {
    Objects.checkFromIndexSize(at, length, target.length);
    load(offset, MemorySegment.ofArray(target), at, length);
  }

  /**
   * Copies bytes of the block to a segment of any kind.
   *
   * @param offset of the first byte in the block
   * @param target receives them
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if the block or the segment is too short; nothing was copied
   */
  public final void copyTo(long offset, MemorySegment target, long at, long length) {
    Objects.checkFromIndexSize(at, length, target.byteSize());
    load(offset, Transfer.writable(target), at, length);
  }

  /**
   * Copies bytes of the block to a buffer at its position, and advances the position.
   *
   * @param offset of the first byte in the block
   * @param target receives them; direct or not, sliced or not
   * @param length how many; not more than remain in the buffer
   * @throws java.nio.BufferOverflowException if fewer remain; nothing was copied
   * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
   * @throws IndexOutOfBoundsException if the block is too short; nothing was copied
   */
  public final void copyTo(long offset, ByteBuffer target, int length) {
    MemorySegment segment = Transfer.target(target, length);
    load(offset, segment, 0, length);
    target.position(target.position() + length);
  }

  /**
   * Copies bytes of the block to another block, of this heap or another one.
   *
   * @param offset of the first byte in this block
   * @param target receives them; may be the same block, also if the ranges overlap
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if a block is too short; nothing was copied
   */
  public final void copyTo(long offset, BlockAccess target, long at, long length) {
    target.copyFrom(at, this, offset, length);
  }

  /**
   * Stores bytes of an array, in the running transaction or one of its own.
   *
   * @param offset of the first byte in the block
   * @param source of the bytes
   * @param at index of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if the block or the array is too short; nothing was stored
   */
  public final void copyFrom(long offset, byte[] source, int at, int length) {
    Objects.checkFromIndexSize(at, length, source.length);
    store(offset, MemorySegment.ofArray(source), at, length);
  }

  /**
   * Stores bytes of a segment, in the running transaction or one of its own. {@code
   * MemorySegment.ofArray} makes one of an array of any primitive type.
   *
   * @param offset of the first byte in the block
   * @param source of the bytes
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if the block or the segment is too short; nothing was stored
   */
  public final void copyFrom(long offset, MemorySegment source, long at, long length) {
    Objects.checkFromIndexSize(at, length, source.byteSize());
    store(offset, source, at, length);
  }

  /**
   * Stores bytes of a buffer from its position on, in the running transaction or one of its own,
   * and advances the position.
   *
   * @param offset of the first byte in the block
   * @param source of the bytes; direct or not, read-only or not, sliced or not
   * @param length how many; not more than remain in the buffer
   * @throws java.nio.BufferUnderflowException if fewer remain; nothing was stored
   * @throws IndexOutOfBoundsException if the block is too short; nothing was stored
   */
  public final void copyFrom(long offset, ByteBuffer source, int length) {
    MemorySegment segment = Transfer.source(source, length);
    store(offset, segment, 0, length);
    source.position(source.position() + length);
  }

  /**
   * Stores bytes of another block, of this heap or another one, in the running transaction or one
   * of its own.
   *
   * @param offset of the first byte in this block
   * @param source of the bytes; may be the same block, also if the ranges overlap
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if a block is too short; nothing was stored
   */
  public final void copyFrom(long offset, BlockAccess source, long at, long length) {
    Transfer.copy(source, at, this, offset, length);
  }

  /**
   * Stores the same byte everywhere in a part of the block, in the running transaction or one of
   * its own.
   *
   * @param offset of the first byte
   * @param length how many
   * @param value of each
   * @throws IndexOutOfBoundsException if the block is too short; nothing was stored
   */
  public final void fill(long offset, long length, byte value) {
    storeEverywhere(offset, length, value);
  }

  /**
   * Stores a long if the present one is the expected one, in the running transaction or one of its
   * own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @return whether it was the expected one
   */
  public final boolean compareAndSetLong(long offset, long expected, long value) {
    return exchange(offset, 8, old -> old == expected ? value : old) == expected;
  }

  /**
   * Stores an int if the present one is the expected one, in the running transaction or one of its
   * own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @return whether it was the expected one
   */
  public final boolean compareAndSetInt(long offset, int expected, int value) {
    return (int) exchange(offset, 4, old -> (int) old == expected ? value : old) == expected;
  }

  /**
   * Adds to a long, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @return the value before
   */
  public final long getAndAddLong(long offset, long delta) {
    return exchange(offset, 8, old -> old + delta);
  }

  /**
   * Adds to an int, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @return the value before
   */
  public final int getAndAddInt(long offset, int delta) {
    return (int) exchange(offset, 4, old -> (int) old + delta);
  }

  /**
   * Replaces a long, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @return the value before
   */
  public final long getAndSetLong(long offset, long value) {
    return exchange(offset, 8, old -> value);
  }

  /**
   * Replaces an int, in the running transaction or one of its own.
   *
   * @param offset in bytes from the start of the block; any, aligned or not
   * @return the value before
   */
  public final int getAndSetInt(long offset, int value) {
    return (int) exchange(offset, 4, old -> value);
  }

  private long exchange(long offset, int width, LongUnaryOperator change) {
    BlockStore store = store();
    Transactions tx = store.tx;
    boolean ok = false;
    tx.begin();
    try {
      long old = load(offset, width);
      long value = change.applyAsLong(old);
      if (value != old) {
        store(offset, value, width);
      }
      ok = true;
      return old;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /** The blocks of the heap. */
  abstract BlockStore store();

  /** The reference of the block. */
  abstract long block();

  /** The address of an offset, after a check that the bytes lie within the block or the range. */
  abstract long locate(long offset, long length);
}
