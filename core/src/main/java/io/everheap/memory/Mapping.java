package io.everheap.memory;

/** The relation of a region to the file from which it is mapped. */
public enum Mapping {
  /**
   * Stores reach the file, in any order and at any time, and outlive the process. They are durable
   * after {@link Region#force} on a byte-addressable medium.
   */
  SHARED,

  /** Stores stay in the process and never reach the file (copy-on-write). */
  PRIVATE,

  /**
   * Loads only. The region shows the file, including later writes by others; also allowed on a
   * read-only medium, for files without write permission.
   */
  READ
}
