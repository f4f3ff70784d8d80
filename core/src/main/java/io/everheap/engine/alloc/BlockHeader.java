package io.everheap.engine.alloc;

/**
 * The layout of a block's header word, the 8 bytes before its payload.
 *
 * <pre>
 *  63         40 39     20 19      2   1        0
 * +-------------+---------+---------+---------+-----------+
 * | generation  | type    | slack   | RETIRED | ALLOCATED |
 * +-------------+---------+---------+---------+-----------+
 * </pre>
 *
 * <p>The slack is the unused space behind the payload, in bytes, from which the exact size follows.
 * In a run of pages its upper 6 bits are the number of pages and its lower 12 bits the unused
 * space.
 *
 * <p>A free slot has a header as well: neither flag is set, and the generation is the one that the
 * next block at this place gets. A retired block has used up its generations; its space is never
 * allocated again.
 */
final class BlockHeader {
  static final long ALLOCATED = 1;
  static final long RETIRED = 2;

  private static final int SLACK_SHIFT = 2;
  private static final int SLACK_BITS = 18;
  private static final int TYPE_SHIFT = 20;
  private static final int PAGES_SHIFT = 12;

  private BlockHeader() {}

  /** The header of an allocated block. */
  static long allocated(int generation, int type, int slack) {
    return ((long) generation << Reference.GENERATION_SHIFT)
        | ((long) type << TYPE_SHIFT)
        | ((long) slack << SLACK_SHIFT)
        | ALLOCATED;
  }

  /** The header of a freed slot; that of a retired one if its block had the last generation. */
  static long freed(int generationBefore) {
    return generationBefore == Reference.MAX_GENERATION
        ? free(generationBefore) | RETIRED
        : free(generationBefore + 1);
  }

  /** The header of a free slot whose next block gets the given generation. */
  static long free(int generation) {
    return (long) generation << Reference.GENERATION_SHIFT;
  }

  static int generation(long header) {
    return (int) (header >>> Reference.GENERATION_SHIFT);
  }

  static int type(long header) {
    return (int) (header >>> TYPE_SHIFT) & BlockType.MAX;
  }

  static int slack(long header) {
    return (int) (header >>> SLACK_SHIFT) & ((1 << SLACK_BITS) - 1);
  }

  static boolean isAllocated(long header) {
    return (header & ALLOCATED) != 0;
  }

  static boolean isRetired(long header) {
    return (header & RETIRED) != 0;
  }

  /** Whether the block is allocated and its generation is the reference's. */
  static boolean matches(long header, long reference) {
    return ((header ^ reference) >>> Reference.GENERATION_SHIFT) == 0 && (header & ALLOCATED) != 0;
  }

  /** The slack of a run of pages. */
  static int runSlack(int pages, int room) {
    return (pages << PAGES_SHIFT) | room;
  }

  /** The number of pages of a run. */
  static int runPages(long header) {
    return slack(header) >>> PAGES_SHIFT;
  }

  /** The unused space in a run of pages, in bytes. */
  static int runRoom(long header) {
    return slack(header) & ((1 << PAGES_SHIFT) - 1);
  }
}
