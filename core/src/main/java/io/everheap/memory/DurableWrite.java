package io.everheap.memory;

/** The method of a durable write to a file, from the most to the least demanding. */
public enum DurableWrite {
  /** One write that bypasses the page cache and returns when the bytes are durable. */
  DIRECT_DSYNC(0),

  /** One write through the page cache that returns when the bytes are durable. */
  DSYNC(1),

  /** A write to the page cache, then a sync of the file's data. */
  FDATASYNC(2);

  private final int code;

  DurableWrite(int code) {
    this.code = code;
  }

  /**
   * Returns the method to use on an operating system where this one is wanted. macOS returns from a
   * write with {@code O_DSYNC} while the bytes are in the disk's cache; a sync, for which the JDK
   * uses {@code F_FULLFSYNC} there, empties that cache.
   *
   * @param system as in the property {@code os.name}
   */
  DurableWrite on(String system) {
    return system.startsWith("Mac") ? FDATASYNC : this;
  }

  /** Returns the number of the method in a heap's superblock. */
  public int code() {
    return code;
  }

  /**
   * Returns the method with a number; {@link #FDATASYNC}, which works everywhere, for any other.
   */
  public static DurableWrite of(int code) {
    for (DurableWrite way : values()) {
      if (way.code == code) {
        return way;
      }
    }
    return FDATASYNC;
  }
}
