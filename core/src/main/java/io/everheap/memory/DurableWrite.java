package io.everheap.memory;

/** How a file makes bytes durable when it is told to, from the most to the least demanding. */
public enum DurableWrite {
  /** One write past the page cache that returns when the bytes are durable. */
  DIRECT_DSYNC(0),

  /** One write through the page cache that returns when the bytes are durable. */
  DSYNC(1),

  /** A write to the page cache, then a sync of the file's data. */
  FDATASYNC(2);

  private final int code;

  DurableWrite(int code) {
    this.code = code;
  }

  /** Returns the number that stands for it in a heap's superblock. */
  public int code() {
    return code;
  }

  /** Returns the one with a number; {@link #FDATASYNC}, which works everywhere, for any other. */
  public static DurableWrite of(int code) {
    for (DurableWrite way : values()) {
      if (way.code == code) {
        return way;
      }
    }
    return FDATASYNC;
  }
}
