package io.everheap.structure.bytes;

import io.everheap.collection.DurableText;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The handle of a {@link DurableText}: UTF-16 in bytes, little-endian. Each change is one
 * transaction, or part of the one that the thread runs; reads are optimistic. Thread-safe.
 */
public final class TextHandle extends StructureHandle implements DurableText {

  private static final int SEARCHED = 1 << 16;
  private final GrowingBytes bytes;
  private final ChunkedBytes chunks;

  TextHandle(StructureContext heap, long reference) {
    super(heap, reference);
    this.bytes = new GrowingBytes(heap, reference, BlockType.TEXT_HEADER);
    this.chunks = bytes.chunks;
  }

  @Override
  public long lengthLong() {
    return bytes.length() / 2;
  }

  @Override
  public int length() {
    return (int) Math.min(lengthLong(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return lengthLong() == 0;
  }

  @Override
  public char charAt(int index) {
    return charAt((long) index);
  }

  @Override
  public char charAt(long index) {
    Objects.checkIndex(index, Long.MAX_VALUE / 2);
    return (char) bytes.get(2 * index, 2);
  }

  @Override
  public String subSequence(int start, int end) {
    return substring(start, end);
  }

  @Override
  public String substring(long from, long to) {
    requireRange(from, to);
    return string(bytes.read(2 * from, 2 * to));
  }

  @Override
  public String toString() {
    return string(bytes.read(0, -1));
  }

  @Override
  public boolean contentEquals(CharSequence other) {
    return lengthLong() == other.length() && toString().contentEquals(other);
  }

  @Override
  public long indexOf(String text, long from) {
    long end = lengthLong();
    int overlap = Math.max(0, text.length() - 1);
    for (long at = Math.max(0, from); at <= end; at += SEARCHED) {
      long to = Math.min(end, at + SEARCHED + overlap);
      int found = substring(at, to).indexOf(text);
      if (found >= 0) {
        return at + found;
      }
    }
    return -1;
  }

  @Override
  public DurableText append(CharSequence text) {
    MemorySegment added = encode(text);
    bytes.change(() -> bytes.replace(chunks.length(), chunks.length(), added));
    return this;
  }

  @Override
  public DurableText append(CharSequence text, int start, int end) {
    return append(text.subSequence(start, end));
  }

  @Override
  public DurableText append(char c) {
    return append(String.valueOf(c));
  }

  @Override
  public TextHandle insert(long index, CharSequence text) {
    return replace(index, index, text);
  }

  @Override
  public TextHandle delete(long from, long to) {
    return replace(from, to, "");
  }

  @Override
  public TextHandle replace(long from, long to, CharSequence by) {
    MemorySegment added = encode(by);
    bytes.change(
        () -> {
          Objects.checkFromToIndex(from, to, chunks.length() / 2);
          bytes.replace(2 * from, 2 * to, added);
        });
    return this;
  }

  @Override
  public void setCharAt(long index, char c) {
    Objects.checkIndex(index, Long.MAX_VALUE / 2);
    bytes.change(
        () -> {
          bytes.requireRange(2 * index, 2);
          chunks.put(2 * index, c, 2);
        });
  }

  @Override
  public void setLength(long length) {
    if (length < 0 || length > Long.MAX_VALUE / 2) {
      throw new IndexOutOfBoundsException("length " + length);
    }
    bytes.change(() -> ChunkedLifecycle.setLength(chunks, 2 * length));
  }

  @Override
  public void clear() {
    setLength(0);
  }

  @Override
  public <T> T read(long from, long to, Function<? super MemorySegment, T> body) {
    requireRange(from, to);
    return bytes.view(2 * from, 2 * (to - from), body);
  }

  @Override
  public <T> T readBuffer(long from, long to, Function<? super ByteBuffer, T> body) {
    requireBuffer(from, to);
    return read(from, to, view -> body.apply(buffer(view)));
  }

  @Override
  public void edit(long from, long to, Consumer<? super MemorySegment> body) {
    requireRange(from, to);
    bytes.edit(2 * from, 2 * (to - from), body);
  }

  @Override
  public void editBuffer(long from, long to, Consumer<? super ByteBuffer> body) {
    requireBuffer(from, to);
    edit(from, to, view -> body.accept(buffer(view)));
  }

  private static void requireRange(long from, long to) {
    Objects.checkFromToIndex(from, to, Long.MAX_VALUE / 2);
  }

  private static void requireBuffer(long from, long to) {
    requireRange(from, to);
    if (to - from > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          (to - from) + " characters do not fit into a buffer; read or edit a part");
    }
  }

  private static ByteBuffer buffer(MemorySegment view) {
    return view.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  private static MemorySegment encode(CharSequence text) {
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.multiplyExact(2, text.length())).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asCharBuffer().append(text);
    return MemorySegment.ofBuffer(buffer);
  }

  private static String string(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().toString();
  }
}
