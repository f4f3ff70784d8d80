package io.everheap.journal.replica;

import io.everheap.log.RemoteCopies;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open journal from which replicas are made. Thread-safe. */
public interface JournalOrigin {
  /** The uuid of the journal. */
  UUID uuid();

  /** Where it is, for messages. */
  String location();

  /** Whether it is open. */
  boolean isOpen();

  /** Whether its files are encrypted. */
  boolean encrypted();

  /** Its term; see {@link io.everheap.log.Terms}. */
  long term();

  /** Bytes of new segments. */
  int segmentSize();

  /** The sequence of the first record of the oldest segment. */
  long oldestSequence();

  /** The position up to which it is durable; never decreases. */
  long durable();

  /** Bytes that are durable behind a position. */
  long lag(long position);

  /** Where an append must be copied to before it returns; null for nowhere. */
  AtomicReference<@Nullable RemoteCopies> copies();

  /** Appends nothing any more: every change throws. */
  void refuse(Supplier<? extends RuntimeException> why);

  /** A new exception of what refuses every change; null if nothing does. */
  @Nullable RuntimeException refusal();

  /**
   * What follows a position.
   *
   * @throws io.everheap.error.ReplicationException if this journal never was there, or has not the
   *     records that follow
   */
  JournalFeed feed(JournalPosition from);
}
