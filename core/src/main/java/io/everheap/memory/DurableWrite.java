package io.everheap.memory;

/** How a file makes bytes durable when it is told to, from the most to the least demanding. */
public enum DurableWrite {
  /** One write past the page cache that returns when the bytes are durable. */
  DIRECT_DSYNC,

  /** One write through the page cache that returns when the bytes are durable. */
  DSYNC,

  /** A write to the page cache, then a sync of the file's data. */
  FDATASYNC
}
