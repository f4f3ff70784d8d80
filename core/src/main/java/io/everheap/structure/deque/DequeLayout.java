package io.everheap.structure.deque;

import io.everheap.engine.alloc.Reference;

/**
 * The layout of a deque: words in its header, and chunks that lead to each other.
 *
 * <pre>
 * words in the header                              chunk
 *  0  head: position of the first element           0  block header
 *  8  tail: position behind the last element        8  position of its first place: a multiple of 64
 * 16  gone: positions between without an element   16  reference of the chunk before, or 0
 * 24  first chunk, or 0                            24  reference of the next chunk, or 0
 * 32  last chunk, or 0                             32  which places between head and tail are gone
 * 40  1 if words are values, 0 if cells            40  64 words
 * </pre>
 *
 * <p>An element keeps its position for as long as it is there. The first chunk has the place at
 * head, the last one that before tail; a chunk between is freed when all of its places are gone. An
 * empty deque has one chunk, if head is not a multiple of 64, or none.
 */
public final class DequeLayout {
  static final int HEAD = 0;
  static final int TAIL = 8;
  static final int GONE = 16;
  public static final int FIRST = 24;
  static final int LAST = 32;
  static final int KIND = 40;

  /** Bytes of these words in a header. */
  public static final int BYTES = 48;

  static final int BASE = 8;
  static final int PREVIOUS = 16;
  public static final int NEXT = 24;
  static final int DEAD = 32;
  static final int PLACES = 40;

  /** Places of a chunk. */
  static final int CHUNK_PLACES = 64;

  /** Payload bytes of a chunk. */
  static final int CHUNK_BYTES = PLACES - 8 + 8 * CHUNK_PLACES;

  private DequeLayout() {}

  static long base(long position) {
    return position & -CHUNK_PLACES;
  }

  static long bit(long position) {
    return 1L << position;
  }

  /** Address of the place of a position. */
  public static long place(long chunk, long position) {
    return Reference.address(chunk) + PLACES + ((position & (CHUNK_PLACES - 1)) << 3);
  }
}
