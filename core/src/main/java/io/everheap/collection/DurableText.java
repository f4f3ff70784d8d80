package io.everheap.collection;

import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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
 * {@link io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @since 0.9
 */
@Stable
public interface DurableText extends CharSequence, Appendable, Structure {
  /** The shape of a text; a new one is empty. */
  static Shape<DurableText> of() {
    return new Shape<>("text");
  }

  /** Returns the number of characters. */
  long lengthLong();

  /** Returns {@link #lengthLong}, or {@link Integer#MAX_VALUE} if it is more. */
  @Override
  int length();

  /** Whether there are no characters. */
  @Override
  boolean isEmpty();

  /**
   * Returns a character.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  char charAt(long index);

  /**
   * Returns a part of the text, as it is now.
   *
   * @param from index of the first character
   * @param to index behind the last one
   */
  String substring(long from, long to);

  /**
   * Returns the text, as it is now.
   *
   * @throws IllegalArgumentException if it is too long for a string
   */
  @Override
  String toString();

  /** Whether the characters are those of another sequence. */
  boolean contentEquals(CharSequence other);

  /**
   * Returns where another text is found first, or -1. The text is read part by part.
   *
   * @param from index to begin at
   */
  long indexOf(String text, long from);

  /** Inserts characters before an index; what is behind moves, which costs its length. */
  DurableText insert(long index, CharSequence text);

  /** Removes characters; what is behind moves, which costs its length. */
  DurableText delete(long from, long to);

  /**
   * Replaces characters by others, of which there may be more or fewer. Unless there are as many,
   * what is behind moves, which costs its length.
   *
   * @param from index of the first character to replace
   * @param to index behind the last one
   * @throws IndexOutOfBoundsException if the text is shorter
   */
  DurableText replace(long from, long to, CharSequence by);

  /** Sets a character that is there. */
  void setCharAt(long index, char c);

  /** Cuts the text after so many characters, or makes it longer with characters of value 0. */
  void setLength(long length);

  /** Removes all characters. */
  void clear();

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
  <T> T read(long from, long to, Function<? super MemorySegment, T> body);

  /**
   * Like {@link #read}, with a read-only little-endian buffer: {@code asCharBuffer} shows the
   * characters.
   *
   * @throws IllegalArgumentException if there are too many for a buffer
   */
  <T> T readBuffer(long from, long to, Function<? super ByteBuffer, T> body);

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
  void edit(long from, long to, Consumer<? super MemorySegment> body);

  /**
   * Like {@link #edit}, with a little-endian buffer: {@code asCharBuffer} shows the characters.
   *
   * @throws IllegalArgumentException if there are too many for a buffer
   */
  void editBuffer(long from, long to, Consumer<? super ByteBuffer> body);

  /** Whether the other one is a handle to the same text; {@link #contentEquals} compares. */
  @Override
  boolean equals(Object other);

  @Override
  DurableText append(CharSequence text);

  @Override
  DurableText append(CharSequence text, int start, int end);

  @Override
  DurableText append(char c);
}
