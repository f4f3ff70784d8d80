package io.everheap.collection;

import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.collection.lifecycle.ChunkedLifecycle;
import io.everheap.collection.lifecycle.GrowingBytes;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A text that lives in a heap, grows, and outlives the process: like a {@code StringBuilder}, with
 * up to 2<sup>62</sup> characters of 2 bytes each.
 *
 * <p><b>Transactions.</b> A method that changes the text is a transaction of its own, or a part of
 * the one that this thread runs. Appending costs what is appended, and a character is found in
 * constant time; a replacement of another length moves what is behind it.
 *
 * <p><b>Reads</b> take no lock; all characters of a read are of one commit. The methods of {@link
 * CharSequence} take the first {@link Integer#MAX_VALUE} characters for the text.
 *
 * <p><b>Views</b> are copies that end with the body they are given to, for its thread alone: {@link
 * #read}, {@link #edit}, {@link #readBuffer} and {@link #editBuffer}. So none outlives the heap,
 * none sees half a commit, and nothing is written past a transaction: every later use, and each of
 * another thread, throws.
 *
 * <p>Safe for use by many threads. After the text was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 */
public final class DurableText implements CharSequence, Appendable, Structure {
  private static final ChunkedKind KIND = ChunkedKind.TEXT;
  private static final int SEARCHED = 1 << 16;

  private final GrowingBytes bytes;
  private final ChunkedBytes chunks;

  private DurableText(Engine engine, long reference) {
    this.bytes = new GrowingBytes(engine, reference, BlockType.TEXT_HEADER);
    this.chunks = bytes.chunks;
  }

  /** The shape of a text; a new one is empty. */
  public static Shape<DurableText> of() {
    return codecs -> new ChunkedDefinition<>(KIND, DurableText::new);
  }

  /** Returns the number of characters. */
  public long lengthLong() {
    return bytes.length() / 2;
  }

  /** Returns {@link #lengthLong}, or {@link Integer#MAX_VALUE} if it is more. */
  @Override
  public int length() {
    return (int) Math.min(lengthLong(), Integer.MAX_VALUE);
  }

  /** Whether there are no characters. */
  @Override
  public boolean isEmpty() {
    return lengthLong() == 0;
  }

  @Override
  public char charAt(int index) {
    return charAt((long) index);
  }

  /**
   * Returns a character.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public char charAt(long index) {
    Objects.checkIndex(index, Long.MAX_VALUE / 2);
    return (char) bytes.get(2 * index, 2);
  }

  @Override
  public String subSequence(int start, int end) {
    return substring(start, end);
  }

  /**
   * Returns a part of the text, as it is now.
   *
   * @param from index of the first character
   * @param to index behind the last one
   */
  public String substring(long from, long to) {
    requireRange(from, to);
    return string(bytes.read(2 * from, 2 * to));
  }

  /**
   * Returns the text, as it is now.
   *
   * @throws IllegalArgumentException if it is too long for a string
   */
  @Override
  public String toString() {
    return string(bytes.read(0, -1));
  }

  /** Whether the characters are those of another sequence. */
  public boolean contentEquals(CharSequence other) {
    return lengthLong() == other.length() && toString().contentEquals(other);
  }

  /**
   * Returns where another text is found first, or -1. The text is read part by part.
   *
   * @param from index to begin at
   */
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

  /** Inserts characters before an index; what is behind moves, which costs its length. */
  public DurableText insert(long index, CharSequence text) {
    return replace(index, index, text);
  }

  /** Removes characters; what is behind moves, which costs its length. */
  public DurableText delete(long from, long to) {
    return replace(from, to, "");
  }

  /**
   * Replaces characters by others, of which there may be more or fewer. Unless there are as many,
   * what is behind moves, which costs its length.
   *
   * @param from index of the first character to replace
   * @param to index behind the last one
   * @throws IndexOutOfBoundsException if the text is shorter
   */
  public DurableText replace(long from, long to, CharSequence by) {
    MemorySegment added = encode(by);
    bytes.change(
        () -> {
          Objects.checkFromToIndex(from, to, chunks.length() / 2);
          bytes.replace(2 * from, 2 * to, added);
        });
    return this;
  }

  /** Sets a character that is there. */
  public void setCharAt(long index, char c) {
    Objects.checkIndex(index, Long.MAX_VALUE / 2);
    bytes.change(
        () -> {
          bytes.requireRange(2 * index, 2);
          chunks.put(2 * index, c, 2);
        });
  }

  /** Cuts the text after so many characters, or makes it longer with characters of value 0. */
  public void setLength(long length) {
    if (length < 0 || length > Long.MAX_VALUE / 2) {
      throw new IndexOutOfBoundsException("length " + length);
    }
    bytes.change(() -> ChunkedLifecycle.setLength(chunks, 2 * length));
  }

  /** Removes all characters. */
  public void clear() {
    setLength(0);
  }

  /**
   * Gives a body a read-only view of some characters, all of one commit, as 2 bytes each, the lower
   * one first.
   *
   * @param from index of the first character
   * @param to index behind the last one
   * @param body must not keep the view: after it, every use throws {@link IllegalStateException}
   * @return what the body returns
   * @throws IndexOutOfBoundsException if the text is shorter
   */
  public <T> T read(long from, long to, Function<? super MemorySegment, T> body) {
    requireRange(from, to);
    return bytes.view(2 * from, 2 * (to - from), body);
  }

  /**
   * Like {@link #read}, with a read-only little-endian buffer: {@code asCharBuffer} shows the
   * characters.
   *
   * @throws IllegalArgumentException if there are too many for a buffer
   */
  public <T> T readBuffer(long from, long to, Function<? super ByteBuffer, T> body) {
    requireBuffer(from, to);
    return read(from, to, view -> body.apply(buffer(view)));
  }

  /**
   * Gives a body a view of some characters to change, as 2 bytes each, the lower one first, and
   * stores them when it returns, all in one transaction or as a part of the running one. If the
   * body throws, nothing is stored. What the body itself stores there in another way is
   * overwritten.
   *
   * @param from index of the first character
   * @param to index behind the last one
   * @param body must not keep the view: after it, every use throws {@link IllegalStateException}
   * @throws IndexOutOfBoundsException if the text is shorter, or the body made it so
   */
  public void edit(long from, long to, Consumer<? super MemorySegment> body) {
    requireRange(from, to);
    bytes.edit(2 * from, 2 * (to - from), body);
  }

  /**
   * Like {@link #edit}, with a little-endian buffer: {@code asCharBuffer} shows the characters.
   *
   * @throws IllegalArgumentException if there are too many for a buffer
   */
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

  @Override
  public StructureId id() {
    return new StructureId(chunks.engine, chunks.reference);
  }

  /** Whether the other one is a handle to the same text; {@link #contentEquals} compares. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DurableText that && chunks.isSame(that.chunks);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(chunks.reference);
  }
}
