package io.everheap.engine.alloc;

/** The block types that are Everheap's own; all below {@link #FIRST_USER_TYPE}. */
public final class BlockType {
  /** Bytes that only their owner understands. */
  public static final int RAW = 0;

  /** The header of a map. */
  public static final int MAP_HEADER = 1;

  /** A segment of a map. */
  public static final int MAP_SEGMENT = 2;

  /** The directory of a map's segments. */
  public static final int MAP_DIRECTORY = 3;

  /** A key and its value in a map. */
  public static final int MAP_NODE = 4;

  /** A part of a value that does not fit into one node. */
  public static final int VALUE_PART = 5;

  /** A link in the list of structures whose blocks are still to be freed. */
  public static final int PENDING_FREE = 6;

  /** The smallest type that is not Everheap's own. */
  public static final int FIRST_USER_TYPE = 256;

  /** The largest type that a block can have. */
  public static final int MAX = (1 << 20) - 1;

  private BlockType() {}
}
