package io.everheap.journal.replica;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files of a journal that is a replica, or becomes one. Others may read the journal meanwhile.
 * Used by one thread at a time.
 */
public interface JournalTarget extends AutoCloseable {
  /** The uuid of the journal; null if there is none yet. */
  @Nullable UUID uuid();

  /** The highest term that it knows. */
  long term();

  /** A random number that it keeps. */
  long id();

  /** Whether its files are encrypted. */
  boolean encrypted();

  /** Where it is, for messages. */
  String location();

  /**
   * Finds the end again and makes all up to there durable; what is torn behind is overwritten.
   *
   * @throws io.everheap.error.CorruptException if the journal is damaged
   */
  JournalPosition settle();

  /** The position up to which it is durable. */
  long durable();

  /**
   * Makes it a replica, durably; makes the journal, if there is none.
   *
   * @param newTerm of the primary
   * @param journal uuid
   * @param oldest sequence of the first record that comes, if there is no journal
   * @param segmentSize of new segments
   * @throws io.everheap.error.ReplicationException if no promotion gives that term
   */
  void follow(long newTerm, UUID journal, long oldest, int segmentSize);

  /**
   * Takes one of {@link JournalParts}; what is whole then is durable on return.
   *
   * @throws io.everheap.error.ReplicationException if it does not follow what is there
   * @throws io.everheap.error.EverheapException if it cannot be written; {@link #settle} must
   *     precede the next one
   */
  void accept(byte[] part);

  /**
   * Makes it a journal that can be appended to, durably.
   *
   * @return its new term
   */
  long promote();

  @Override
  void close();
}
