package io.everheap.journal;

/** A journal as its readers see it, written by this process or by another one. */
interface RecordSource extends AutoCloseable {
  /** Where the journal is, for messages. */
  String location();

  /** The newest state that is known. */
  JournalState state();

  /**
   * Sets the cache from which segments that are gone are dropped; called once, before anything is
   * read.
   */
  void cache(SegmentCache cache);

  /** The segments, oldest first. */
  Segment[] segments();

  /** The oldest record that is there. */
  long first();

  /** Records below can be read. */
  long visible();

  /** The number that the next record will get. */
  default long next() {
    return visible();
  }

  /** Records below are known to be durable. */
  default long durable() {
    return visible();
  }

  /** Bytes of files that are kept for later segments. */
  default long unusedBytes() {
    return 0;
  }

  /** Whether the journal had not been closed when it was opened for writing. */
  default boolean recoveredUnclean() {
    return false;
  }

  /** Bytes of unfinished records that the opening cut off. */
  default long tornBytes() {
    return 0;
  }

  /** How often the journal was cut behind some record. */
  int cuts();

  /**
   * Waits until a record can be read.
   *
   * @return whether it can
   */
  boolean await(long sequence, long nanos) throws InterruptedException;

  /**
   * Reads the journal's files again, because a record that should be there was not found.
   *
   * @return whether to retry: another process may have changed the journal
   */
  boolean refresh();

  /** Throws if the journal does not end behind the last record that can be read: damage does. */
  void requireEnd();

  /** Throws if the journal was closed. */
  void check();

  @Override
  void close();
}
