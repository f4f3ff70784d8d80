package io.everheap.engine.alloc;

/**
 * A reference to a block: its address and the generation that the block had when it was allocated.
 *
 * <pre>
 *  63         40 39                          0
 * +-------------+-----------------------------+
 * | generation  | address of the header / 16  |
 * +-------------+-----------------------------+
 * </pre>
 *
 * <p>A link inside a structure that owns its blocks may have other bits in place of the generation;
 * only {@link #address} and {@link #payload} may be used on it.
 */
public final class Reference {
  /** The null reference. */
  public static final long NULL = 0;

  /** The largest generation a block can have. */
  public static final int MAX_GENERATION = (1 << 24) - 1;

  /** Bytes of the header before the payload. */
  static final int HEADER_BYTES = 8;

  static final int GENERATION_SHIFT = 40;

  private static final long ADDRESS_MASK = (1L << GENERATION_SHIFT) - 1;

  private Reference() {}

  /**
   * Makes a reference.
   *
   * @param address the address of a block header, a multiple of 16 below 2^44
   * @param generation the generation in the header
   * @return the reference
   */
  public static long of(long address, int generation) {
    return ((long) generation << GENERATION_SHIFT) | (address >>> 4);
  }

  /**
   * Makes a reference to the block that is at an address now.
   *
   * @param address of a block header
   * @param header the word there
   * @return the reference, with the header's generation
   */
  public static long withGenerationOf(long address, long header) {
    return of(address, BlockHeader.generation(header));
  }

  /**
   * Returns where the block's header is.
   *
   * @param reference a reference
   * @return the address of the 8-byte header, a multiple of 16
   */
  public static long address(long reference) {
    return (reference & ADDRESS_MASK) << 4;
  }

  /**
   * Returns where the block's payload is.
   *
   * @param reference a reference
   * @return the address of the first byte after the header, a multiple of 8
   */
  public static long payload(long reference) {
    return ((reference & ADDRESS_MASK) << 4) + HEADER_BYTES;
  }

  /**
   * Returns the generation of a reference.
   *
   * @param reference a reference
   * @return the generation, from 0 to {@link #MAX_GENERATION}
   */
  public static int generation(long reference) {
    return (int) (reference >>> GENERATION_SHIFT);
  }

  /**
   * Describes a reference for messages.
   *
   * @param reference a reference
   * @return its address and generation
   */
  public static String describe(long reference) {
    return "0x" + Long.toHexString(address(reference)) + " generation " + generation(reference);
  }
}
