package io.everheap.journal.replica;

/**
 * What a replica of a journal gets: parts, each a kind u8 and, big-endian,
 *
 * <pre>
 *   RELEASED  first sequence u64, first ordinal u64
 *   SEGMENT   the header of a segment, as it stands there
 *   OLDEST    the same of a segment before which the primary has nothing
 *   PIECE     its offset in the segment u64, its bytes u32; then some of them: whole records, and
 *             the mark of the segment's end
 *   BYTES     more bytes of the piece
 * </pre>
 */
public final class JournalParts {
  /** Records were released. */
  public static final byte RELEASED = 1;

  /** A segment begins; behind an earlier record, if others were cut off. */
  public static final byte SEGMENT = 2;

  /** Records begin. */
  public static final byte PIECE = 3;

  /** Records go on. */
  public static final byte BYTES = 4;

  /** A segment begins, and all before was released or cut off. */
  public static final byte OLDEST = 5;

  private JournalParts() {}
}
