package io.everheap.engine.counters;

/** What a heap counts for other processes, in the order of the file. */
public enum Counter {
  /** Transactions that stored something and committed. */
  COMMITS("commits", true),
  /** Outermost transactions that were rolled back. */
  ABORTS("aborts", true),
  /** Checkpoints completed. */
  CHECKPOINTS("checkpoints", true),
  /** Growths of the home image. */
  GROWTHS("growths", true),
  /** Position behind the newest commit. */
  APPENDED_LSN("appended LSN", true),
  /** Position below which everything survives power loss. */
  DURABLE_LSN("durable LSN", true),
  /** Position where a replay would start. */
  CHECKPOINT_LSN("checkpoint LSN", true),
  /** Position below which the log is archived; -1 without an archive. */
  ARCHIVED_LSN("archived LSN", true),
  /** Bytes of log segments in use. */
  LOG_USED("log used bytes", false),
  /** Target size of the log. */
  LOG_SIZE("log size bytes", false),
  /** Size of the home image. */
  HOME_SIZE("home bytes", false),
  /** Bytes of pages that the next checkpoint writes. */
  DIRTY("dirty bytes", false),
  /** Memory for pages that were changed since their extent was mapped. */
  PRIVATE("private bytes", false),
  /** Bytes of pages that the log of a crash changes and that are not up to date. */
  PENDING("pending bytes", false),
  /** Threads that wait for their turn to write. */
  WAITING_WRITERS("waiting writers", false),
  /** One if transactions wait for a checkpoint or for log segments, else 0. */
  GATE_SHUT("gate shut", false);

  private final String label;
  private final boolean grows;

  Counter(String label, boolean grows) {
    this.label = label;
    this.grows = grows;
  }

  /** Its name in the file, which stays the same in later versions. */
  public String label() {
    return label;
  }

  /** Whether it only grows while the heap is open, so that differences are rates. */
  public boolean grows() {
    return grows;
  }
}
