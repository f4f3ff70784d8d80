package io.everheap.journal.replica;

/** The durable records of an open journal in their order. Used by one thread. */
public interface JournalFeed extends AutoCloseable {
  /**
   * Reads what is durable, up to some size.
   *
   * @return one of {@link JournalParts}; empty if there is no more now
   * @throws io.everheap.error.ReplicationException if records were released before they were read
   * @throws io.everheap.error.CorruptException if a record does not validate
   */
  byte[] next();

  @Override
  void close();
}
