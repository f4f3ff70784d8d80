package io.everheap.journal;

/** What readers need to know of a journal: one that is written by this process, or by another. */
interface RecordSource {
  /** Where the journal is, for messages. */
  String location();

  /** The segments, oldest first. */
  Segment[] segments();

  /** The oldest record that is there. */
  long first();

  /** Records below can be read. */
  long visible();

  /** How often the journal was cut behind some record. */
  int cuts();

  /**
   * Waits until a record can be read.
   *
   * @return whether it can
   */
  boolean await(long sequence, long nanos) throws InterruptedException;

  /**
   * Looks at the journal anew, because something that should be there is not.
   *
   * @return whether that makes sense: somebody else may have changed it
   */
  boolean refresh();

  /** Throws if the journal does not end behind the last record that can be read: damage does. */
  void requireEnd();

  /** Throws if the journal was closed. */
  void check();
}
