package io.everheap.structure.bytes;

import io.everheap.collection.DurableBytes;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;
import java.lang.foreign.MemorySegment;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The handle of a {@link DurableBytes}. Each change is one transaction, or part of the one that the
 * thread runs; reads are optimistic. Thread-safe.
 */
public final class BytesHandle extends StructureHandle implements DurableBytes {

  private final GrowingBytes bytes;
  private final ChunkedBytes chunks;

  BytesHandle(StructureContext heap, long reference) {
    super(heap, reference);
    this.bytes = new GrowingBytes(heap, reference, BlockType.BYTES_HEADER);
    this.chunks = bytes.chunks;
  }

  @Override
  public long length() {
    return bytes.length();
  }

  @Override
  public void setLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("a buffer has 0 bytes or more, not " + length);
    }
    bytes.change(() -> ChunkedLifecycle.setLength(chunks, length));
  }

  @Override
  public void clear() {
    setLength(0);
  }

  @Override
  public byte get(long offset) {
    if (offset < 0) {
      throw new IndexOutOfBoundsException("offset " + offset);
    }
    return (byte) bytes.get(offset, 1);
  }

  @Override
  public void set(long offset, byte value) {
    bytes.change(
        () -> {
          bytes.requireRange(offset, 1);
          chunks.put(offset, value, 1);
        });
  }

  @Override
  public void append(byte[] source) {
    append(MemorySegment.ofArray(source));
  }

  @Override
  public void append(ByteBuffer source) {
    append(MemorySegment.ofBuffer(source));
    source.position(source.limit());
  }

  @Override
  public void append(MemorySegment source) {
    bytes.change(() -> bytes.replace(chunks.length(), chunks.length(), source));
  }

  @Override
  public void replace(long from, long to, byte[] by) {
    bytes.change(
        () -> {
          Objects.checkFromToIndex(from, to, chunks.length());
          bytes.replace(from, to, MemorySegment.ofArray(by));
        });
  }

  @Override
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    Objects.checkFromIndexSize(at, length, source.byteSize());
    bytes.change(
        () -> {
          bytes.requireRange(offset, length);
          chunks.store(offset, source, at, length);
        });
  }

  @Override
  public void copyFrom(long offset, byte[] source, int at, int length) {
    copyFrom(offset, MemorySegment.ofArray(source), at, length);
  }

  @Override
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    Objects.checkFromIndexSize(at, length, target.byteSize());
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the segment is read-only");
    }
    bytes.read(offset, target, at, length);
  }

  @Override
  public void copyTo(long offset, byte[] target, int at, int length) {
    copyTo(offset, MemorySegment.ofArray(target), at, length);
  }

  @Override
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

  @Override
  public byte[] toArray() {
    return bytes.read(0, -1);
  }

  @Override
  public byte[] toArray(long from, long to) {
    Objects.checkFromToIndex(from, to, Long.MAX_VALUE);
    return bytes.read(from, to);
  }

  @Override
  public <T> T read(long offset, long length, Function<? super MemorySegment, T> body) {
    return bytes.view(offset, length, body);
  }

  @Override
  public <T> T readBuffer(long offset, int length, Function<? super ByteBuffer, T> body) {
    return bytes.view(offset, length, view -> body.apply(view.asByteBuffer()));
  }

  @Override
  public void edit(long offset, long length, Consumer<? super MemorySegment> body) {
    bytes.edit(offset, length, body);
  }

  @Override
  public void editBuffer(long offset, int length, Consumer<? super ByteBuffer> body) {
    bytes.edit(offset, length, view -> body.accept(view.asByteBuffer()));
  }

  @Override
  public String toString() {
    return "DurableBytes[" + length() + " bytes]";
  }
}
