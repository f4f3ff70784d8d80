package io.everheap.journal;

/** How records reach a segment. */
enum Mode {
  /** Stored to a mapping that is the storage itself, and forced one by one. */
  DIRECT,

  /** Stored to a shared mapping, which survives the process; written back now and then. */
  MAPPED,

  /** Collected in memory and written durably, many at once, before any append returns. */
  BUFFERED,

  /** The same on an encrypted medium, where readers cannot map what was written. */
  SEALED,

  /** Collected in memory of an encrypted medium; written durably now and then. */
  SEALED_LATER;

  int alignment() {
    return this == DIRECT ? JournalLayout.DIRECT_ALIGNMENT : JournalLayout.FILE_ALIGNMENT;
  }

  /** Whether records are durable before an append returns, and are seen only then. */
  boolean waits() {
    return this == BUFFERED || this == SEALED;
  }

  /** Whether appenders must not get too far ahead of what is durable. */
  boolean paced() {
    return this == MAPPED || this == SEALED_LATER;
  }

  /** Whether stores to the memory of a segment reach its file. */
  boolean mapped() {
    return this == DIRECT || this == MAPPED;
  }

  /** Whether readers in this process use the memory that records are stored to. */
  boolean shared() {
    return this != BUFFERED;
  }
}
