package io.everheap.memory;

/** How a region relates to the file that it is mapped from. */
public enum Mapping {
  /**
   * Stores reach the file, in any order and at any time, and outlive the process. They are durable
   * after {@link Region#force} on a byte-addressable medium.
   */
  SHARED,

  /** Stores stay in the process and never reach the file: copy on write. */
  PRIVATE,

  /**
   * Nothing is stored. The region shows the file, and what others write to it later; allowed on a
   * read-only medium as well, for files without write permission.
   */
  READ
}
