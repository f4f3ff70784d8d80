package io.everheap.engine.counters;

/**
 * The layout of the file of counters, little-endian; docs/counters.md specifies it.
 *
 * <pre>
 *   0       8         12      16      20     24     28      32     48      56          64
 *   +-------+---------+-------+-------+------+------+-------+------+-------+-----------+---------
 *   | magic | version | count | slots | size | from | label | uuid | state | published | process
 *   +-------+---------+-------+-------+------+------+-------+------+-------+-----------+---------
 *   1024: count labels of 64 bytes     kind u8, 0 u8, length u16, name (UTF-8)
 *   from: slots of size bytes          nanoseconds, milliseconds since 1970, count values
 * </pre>
 *
 * Publication n is in slot n mod {@link #SLOTS}; then n is stored at {@link #PUBLISHED}. A reader
 * loads n, copies the slots of n and n - 1, and loads n again: if it grew by less than {@link
 * #SLOTS} - 2, both copies are whole: the slot behind those may be written already.
 */
public final class CountersLayout {
  /** Name of the file. */
  public static final String NAME = "counters";

  /** "EVERCNTS", little-endian. */
  public static final long MAGIC = 0x5354_4E43_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  public static final int FORMAT_VERSION = 1;

  /** Size of the file. */
  public static final int SIZE = 8192;

  /** The state of a heap that was not closed. */
  public static final long OPEN = 1;

  /** The state of a closed heap, whose file is then deleted. */
  public static final long CLOSED = 2;

  /** The state of a heap that refuses everything after a failure. */
  public static final long POISONED = 3;

  static final int SLOTS = 4;
  static final int VERSION = 8;
  static final int COUNT = 12;
  static final int SLOT_COUNT = 16;
  static final int SLOT_SIZE = 20;
  static final int SLOTS_AT = 24;
  static final int LABELS_AT = 28;
  static final int UUID_HIGH = 32;
  static final int UUID_LOW = 40;
  static final int STATE = 48;
  static final int PUBLISHED = 56;
  static final int PROCESS = 64;
  static final int LABELS = 1024;
  static final int LABEL_SIZE = 64;
  static final int LABEL_NAME = 4;
  static final int FIRST_SLOT = 4096;
  static final int NANOS = 0;
  static final int MILLIS = 8;
  static final int VALUES = 16;

  private CountersLayout() {}

  static int slotSize(int count) {
    return VALUES + 8 * count;
  }
}
