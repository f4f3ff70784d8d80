package io.everheap.engine.alloc;

/** The block types of Everheap's own structures; all are below {@link #FIRST_USER_TYPE}. */
public final class BlockType {
  /** Bytes whose meaning only the program knows. */
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

  /**
   * The block at the original place of an object that was moved, with the reference to its body.
   */
  public static final int OBJECT_MOVED = 12;

  /** The fields of an object that was moved. */
  public static final int OBJECT_BODY = 13;

  /** The bytes of a field's value. */
  public static final int OBJECT_CELL = 14;

  /** The header of a sorted map. */
  public static final int SORTED_MAP_HEADER = 16;

  /** The header of a sorted set. */
  public static final int SORTED_SET_HEADER = 17;

  /** A node of the tree of a sorted map or set. */
  public static final int SORTED_NODE = 18;

  /** A key of bytes and its value in a sorted map or set. */
  public static final int SORTED_ENTRY = 19;

  /** A key that separates two nodes and does not fit into the one above them. */
  public static final int SORTED_SEPARATOR = 20;

  /** The header of a list. */
  public static final int LIST_HEADER = 24;

  /** A leaf of a list or a priority queue: a sequence of words. */
  public static final int TREE_LEAF = 25;

  /** An inner node of a list or a priority queue. */
  public static final int TREE_INNER = 26;

  /** The remains of a list or a priority queue, which are still to be freed. */
  public static final int TREE_REMAINS = 27;

  /** The header of a deque. */
  public static final int DEQUE_HEADER = 32;

  /** A chunk of a deque. */
  public static final int DEQUE_CHUNK = 33;

  /** The remains of a deque, which are still to be freed. */
  public static final int DEQUE_REMAINS = 34;

  /** The header of a priority queue. */
  public static final int PRIORITY_QUEUE_HEADER = 36;

  /** The header of a work queue. */
  public static final int WORK_QUEUE_HEADER = 37;

  /** An encoded value to which a word in another block refers. */
  public static final int VALUE_CELL = 58;

  /** The directory of the parts of such a value, if it is large. */
  public static final int LARGE_VALUE_CELL = 59;

  /** The header of a set, whose table is that of a map. */
  public static final int SET_HEADER = 56;

  /** The header of an array of primitive values. */
  public static final int ARRAY_HEADER = 40;

  /** The header of an array of values of a codec. */
  public static final int OBJECT_ARRAY_HEADER = 41;

  /** Bytes of an array, a text or a buffer. */
  public static final int CHUNK = 42;

  /** The directory of such chunks. */
  public static final int CHUNK_DIRECTORY = 43;

  /** The header of an array of values of a codec that never change. */
  public static final int IMMUTABLE_ARRAY_HEADER = 44;

  /** The header of a text. */
  public static final int TEXT_HEADER = 48;

  /** The header of a buffer of bytes. */
  public static final int BYTES_HEADER = 49;

  /** The header of an atomic long. */
  public static final int ATOMIC_LONG = 52;

  /** The header of a counter. */
  public static final int COUNTER = 53;

  /** The header of a reference to a value. */
  public static final int ATOMIC_REFERENCE = 54;

  /** The type of objects of type number 0, which is never assigned; those of objects are above. */
  public static final int FIRST_USER_TYPE = 256;

  /** The largest type that a block can have. */
  public static final int MAX = (1 << 20) - 1;

  private BlockType() {}
}
