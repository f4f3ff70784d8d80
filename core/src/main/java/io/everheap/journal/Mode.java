package io.everheap.journal;

/** How records reach a segment. */
enum Mode {
  /** Stored to a mapping that is the storage itself, and forced one by one. */
  DIRECT,

  /** Stored to a shared mapping, which survives the process; written back now and then. */
  MAPPED,

  /** Collected in memory and written durably, many at once, before any append returns. */
  BUFFERED;

  int alignment() {
    return this == DIRECT ? JournalLayout.DIRECT_ALIGNMENT : JournalLayout.FILE_ALIGNMENT;
  }
}
