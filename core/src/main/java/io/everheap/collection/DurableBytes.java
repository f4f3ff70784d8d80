package io.everheap.collection;

import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A buffer of bytes that lives in a heap, grows, and outlives the process. It can be far larger
 * than a Java array.
 *
 * <p><b>Transactions.</b> A method that changes the buffer is a transaction of its own, or a part
 * of the one that this thread runs. Appending costs what is appended. What one transaction can
 * change at once is limited ({@code HeapBuilder.maxTransaction}).
 *
 * <p><b>Reads</b> take no lock; all bytes of a read are of one commit.
 *
 * <p><b>Views</b> are copies that end with the body they are given to, for its thread alone: {@link
 * #read}, {@link #edit}, {@link #readBuffer} and {@link #editBuffer}. So none outlives the heap,
 * none sees half a commit, and nothing is written past a transaction: every later use, and each of
 * another thread, throws.
 *
 * <p>Safe for use by many threads. After the buffer was removed from its heap, every method throws
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @since 0.9
 */
@Stable
public interface DurableBytes extends Structure {
  /** The shape of a buffer; a new one is empty. */
  static Shape<DurableBytes> of() {
    return new Shape<>("bytes");
  }

  /** Returns the number of bytes. */
  long length();

  /**
   * Cuts the buffer, or makes it longer with zeros.
   *
   * @throws IllegalArgumentException if there are more than the heap can hold
   */
  void setLength(long length);

  /** Removes all bytes. */
  void clear();

  /**
   * Returns a byte.
   *
   * @throws IndexOutOfBoundsException if there is none at this offset
   */
  byte get(long offset);

  /**
   * Sets a byte that is there.
   *
   * @throws IndexOutOfBoundsException if there is none at this offset
   */
  void set(long offset, byte value);

  /** Appends all bytes of an array. */
  void append(byte[] source);

  /** Appends what remains in a buffer, whose position moves to its limit. */
  void append(ByteBuffer source);

  /** Appends all bytes of a segment. */
  void append(MemorySegment source);

  /**
   * Replaces some bytes by others, of which there may be more or fewer. What is behind moves, which
   * costs its length, unless the numbers are the same.
   *
   * @param from offset of the first byte to replace
   * @param to offset behind the last one
   */
  void replace(long from, long to, byte[] by);

  /**
   * Sets bytes that are there.
   *
   * @param offset of the first one
   * @param source of the bytes
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if either has fewer; nothing was changed
   */
  void copyFrom(long offset, MemorySegment source, long at, long length);

  /** Sets bytes that are there to bytes of an array: see the method for segments. */
  void copyFrom(long offset, byte[] source, int at, int length);

  /**
   * Copies bytes to a segment, all of one commit.
   *
   * @param offset of the first one
   * @param target receives them
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if either has fewer
   */
  void copyTo(long offset, MemorySegment target, long at, long length);

  /** Copies bytes to an array: see the method for segments. */
  void copyTo(long offset, byte[] target, int at, int length);

  /**
   * Copies bytes to a buffer, from its position on, which moves by so many.
   *
   * @param offset of the first one
   * @param length how many; not more than remain in the buffer
   */
  void copyTo(long offset, ByteBuffer target, int length);

  /** Returns a copy of all bytes. */
  byte[] toArray();

  /** Returns a copy of the bytes from one offset to another. */
  byte[] toArray(long from, long to);

  /**
   * Gives a body a read-only view of some bytes, all of one commit.
   *
   * @param body must not keep the view: after it, every use throws {@link IllegalStateException}
   * @return what the body returns
   */
  <T> T read(long offset, long length, Function<? super MemorySegment, T> body);

  /**
   * Like {@link #read}, with a read-only buffer, big-endian unless the body sets its order.
   *
   * @param length fits a buffer: it is not more than {@link Integer#MAX_VALUE}
   */
  <T> T readBuffer(long offset, int length, Function<? super ByteBuffer, T> body);

  /**
   * Gives a body a view of some bytes to change, and stores them when it returns, all in one
   * transaction or as a part of the running one. If the body throws, nothing is stored. What the
   * body itself stores there in another way is overwritten.
   *
   * @param body must not keep the view: after it, every use throws {@link IllegalStateException}
   * @throws IndexOutOfBoundsException if the buffer has fewer bytes, or the body cut it to fewer
   */
  void edit(long offset, long length, Consumer<? super MemorySegment> body);

  /**
   * Like {@link #edit}, with a buffer, big-endian unless the body sets its order. Where its
   * position is in the end has no meaning.
   */
  void editBuffer(long offset, int length, Consumer<? super ByteBuffer> body);

  /** Whether the other one is a handle to the same buffer. */
  @Override
  boolean equals(Object other);
}
