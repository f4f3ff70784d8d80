package io.everheap.collection;

import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.collection.lifecycle.ChunkedLifecycle;
import io.everheap.collection.lifecycle.GrowingBytes;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.lang.foreign.MemorySegment;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
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
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 */
public final class DurableBytes implements Structure {
  private static final ChunkedKind KIND = ChunkedKind.BYTES;

  private final GrowingBytes bytes;
  private final ChunkedBytes chunks;

  private DurableBytes(Engine engine, long reference) {
    this.bytes = new GrowingBytes(engine, reference, BlockType.BYTES_HEADER);
    this.chunks = bytes.chunks;
  }

  /** The shape of a buffer; a new one is empty. */
  public static Shape<DurableBytes> of() {
    return codecs -> new ChunkedDefinition<>(KIND, DurableBytes::new);
  }

  /** Returns the number of bytes. */
  public long length() {
    return bytes.length();
  }

  /**
   * Cuts the buffer, or makes it longer with zeros.
   *
   * @throws IllegalArgumentException if there are more than the heap can hold
   */
  public void setLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("a buffer has 0 bytes or more, not " + length);
    }
    bytes.change(() -> ChunkedLifecycle.setLength(chunks, length));
  }

  /** Removes all bytes. */
  public void clear() {
    setLength(0);
  }

  /**
   * Returns a byte.
   *
   * @throws IndexOutOfBoundsException if there is none at this offset
   */
  public byte get(long offset) {
    if (offset < 0) {
      throw new IndexOutOfBoundsException("offset " + offset);
    }
    return (byte) bytes.get(offset, 1);
  }

  /**
   * Sets a byte that is there.
   *
   * @throws IndexOutOfBoundsException if there is none at this offset
   */
  public void set(long offset, byte value) {
    bytes.change(
        () -> {
          bytes.requireRange(offset, 1);
          chunks.put(offset, value, 1);
        });
  }

  /** Appends all bytes of an array. */
  public void append(byte[] source) {
    append(MemorySegment.ofArray(source));
  }

  /** Appends what remains in a buffer, whose position moves to its limit. */
  public void append(ByteBuffer source) {
    append(MemorySegment.ofBuffer(source));
    source.position(source.limit());
  }

  /** Appends all bytes of a segment. */
  public void append(MemorySegment source) {
    bytes.change(() -> bytes.replace(chunks.length(), chunks.length(), source));
  }

  /**
   * Replaces some bytes by others, of which there may be more or fewer. What is behind moves, which
   * costs its length, unless the numbers are the same.
   *
   * @param from offset of the first byte to replace
   * @param to offset behind the last one
   */
  public void replace(long from, long to, byte[] by) {
    bytes.change(
        () -> {
          Objects.checkFromToIndex(from, to, chunks.length());
          bytes.replace(from, to, MemorySegment.ofArray(by));
        });
  }

  /**
   * Sets bytes that are there.
   *
   * @param offset of the first one
   * @param source of the bytes
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if either has fewer; nothing was changed
   */
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    Objects.checkFromIndexSize(at, length, source.byteSize());
    bytes.change(
        () -> {
          bytes.requireRange(offset, length);
          chunks.store(offset, source, at, length);
        });
  }

  /** Sets bytes that are there to bytes of an array: see the method for segments. */
  public void copyFrom(long offset, byte[] source, int at, int length) {
    copyFrom(offset, MemorySegment.ofArray(source), at, length);
  }

  /**
   * Copies bytes to a segment, all of one commit.
   *
   * @param offset of the first one
   * @param target receives them
   * @param at offset of the first one there
   * @param length how many
   * @throws IndexOutOfBoundsException if either has fewer
   */
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    Objects.checkFromIndexSize(at, length, target.byteSize());
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the segment is read-only");
    }
    bytes.read(offset, target, at, length);
  }

  /** Copies bytes to an array: see the method for segments. */
  public void copyTo(long offset, byte[] target, int at, int length) {
    copyTo(offset, MemorySegment.ofArray(target), at, length);
  }

  /**
   * Copies bytes to a buffer, from its position on, which moves by so many.
   *
   * @param offset of the first one
   * @param length how many; not more than remain in the buffer
   */
  public void copyTo(long offset, ByteBuffer target, int length) {
    if (target.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (length > target.remaining()) {
      throw new BufferOverflowException();
    }
    bytes.read(offset, MemorySegment.ofBuffer(target), 0, length);
    target.position(target.position() + length);
  }

  /** Returns a copy of all bytes. */
  public byte[] toArray() {
    return bytes.read(0, -1);
  }

  /** Returns a copy of the bytes from one offset to another. */
  public byte[] toArray(long from, long to) {
    Objects.checkFromToIndex(from, to, Long.MAX_VALUE);
    return bytes.read(from, to);
  }

  /**
   * Gives a body a read-only view of some bytes, all of one commit.
   *
   * @param body must not keep the view: after it, every use throws {@link IllegalStateException}
   * @return what the body returns
   */
  public <T> T read(long offset, long length, Function<? super MemorySegment, T> body) {
    return bytes.view(offset, length, body);
  }

  /**
   * Like {@link #read}, with a read-only buffer, big-endian unless the body sets its order.
   *
   * @param length fits a buffer: it is not more than {@link Integer#MAX_VALUE}
   */
  public <T> T readBuffer(long offset, int length, Function<? super ByteBuffer, T> body) {
    return bytes.view(offset, length, view -> body.apply(view.asByteBuffer()));
  }

  /**
   * Gives a body a view of some bytes to change, and stores them when it returns, all in one
   * transaction or as a part of the running one. If the body throws, nothing is stored. What the
   * body itself stores there in another way is overwritten.
   *
   * @param body must not keep the view: after it, every use throws {@link IllegalStateException}
   * @throws IndexOutOfBoundsException if the buffer has fewer bytes, or the body cut it to fewer
   */
  public void edit(long offset, long length, Consumer<? super MemorySegment> body) {
    bytes.edit(offset, length, body);
  }

  /**
   * Like {@link #edit}, with a buffer, big-endian unless the body sets its order. Where its
   * position is in the end has no meaning.
   */
  public void editBuffer(long offset, int length, Consumer<? super ByteBuffer> body) {
    bytes.edit(offset, length, view -> body.accept(view.asByteBuffer()));
  }

  @Override
  public StructureId id() {
    return new StructureId(chunks.engine, chunks.reference);
  }

  /** Whether the other one is a handle to the same buffer. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DurableBytes that && chunks.isSame(that.chunks);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(chunks.reference);
  }

  @Override
  public String toString() {
    return "DurableBytes[" + length() + " bytes]";
  }
}
