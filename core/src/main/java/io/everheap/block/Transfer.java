package io.everheap.block;

import io.everheap.block.store.BlockStore;
import java.lang.foreign.MemorySegment;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** Copies between blocks, and the checks and segments of buffers to copy. Stateless. */
final class Transfer {
  private Transfer() {}

  /** Returns the next bytes of a buffer of any kind. */
  static MemorySegment source(ByteBuffer buffer, int length) {
    if (length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    return next(buffer, length);
  }

  /** Returns the next bytes of a writable buffer. */
  static MemorySegment target(ByteBuffer buffer, int length) {
    if (buffer.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    if (length > buffer.remaining()) {
      throw new BufferOverflowException();
    }
    return next(buffer, length);
  }

  private static MemorySegment next(ByteBuffer buffer, int length) {
    if (length < 0) {
      throw new IndexOutOfBoundsException("length " + length);
    }
    return MemorySegment.ofBuffer(buffer).asSlice(0, length); // begins at its position
  }

  static MemorySegment writable(MemorySegment segment) {
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException("the segment is read-only");
    }
    return segment;
  }

  /** Copies bytes in one transaction of the target's heap. */
  static void copy(BlockAccess source, long at, BlockAccess target, long offset, long length) {
    BlockStore store = target.store();
    if (source.store().heap.equals(store.heap)) {
      store.transact(() -> move(source, at, target, offset, length));
      return;
    }
    target.locate(offset, length); // before the bytes are allocated
    byte[] copied = new byte[Math.toIntExact(length)];
    source.load(at, MemorySegment.ofArray(copied), 0, length);
    target.store(offset, MemorySegment.ofArray(copied), 0, length);
  }

  private static void move(
      BlockAccess source, long at, BlockAccess target, long offset, long length) {
    BlockStore store = target.store();
    long from = source.locate(at, length);
    long to = target.locate(offset, length);
    store.requireLive(source.block());
    store.requireLive(target.block());
    store.bytes.move(BlockStore.stripe(target.block()), from, to, length);
  }
}
