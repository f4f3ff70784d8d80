package io.everheap.replication;

import io.everheap.error.FencedException;
import io.everheap.log.RemoteCopies;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a primary sends to its replicas. Thread-safe. */
interface Origin {
  /** What it is, for messages. */
  String kind();

  UUID uuid();

  String location();

  boolean isOpen();

  /** Whether its files are encrypted, so that it is not stored in plaintext elsewhere. */
  boolean encrypted();

  /** Its term; see {@link io.everheap.log.Terms}. */
  long term();

  /** The LSN up to which it is durable; of a journal, the position. */
  long durable();

  /** Bytes that are durable behind an LSN. */
  long lag(long lsn);

  /** For what its writers wait after they are durable here. */
  AtomicReference<@Nullable RemoteCopies> copies();

  /** Writes nothing any more: every change throws. */
  void refuse(Supplier<FencedException> why);

  /** What {@link #refuse} was called with last; null if it was not called. */
  @Nullable RuntimeException refusal();

  /** What is thrown since {@link #fence}; null if that was not called. */
  default @Nullable FencedException fenced() {
    return refusal() instanceof FencedException why ? why : null;
  }

  /**
   * Refuses every change, because there is a primary of a higher term.
   *
   * @param from who said so
   * @return what is thrown
   */
  default FencedException fence(long term, String from) {
    String message =
        "A replica of the "
            + kind()
            + " at "
            + location()
            + " was promoted, with term "
            + term
            + ", as "
            + from
            + " says: nothing is written to this one any more. Close it, and open its directory as"
            + " a replica of the new primary: what the new one has not is saved beside it.";
    refuse(() -> new FencedException(message, term));
    System.getLogger(Primary.class.getName()).log(System.Logger.Level.ERROR, message);
    return new FencedException(message, term);
  }

  /** Throws what {@link #fence} returned, if that was called. */
  default void requireNotFenced() {
    FencedException why = fenced();
    if (why != null) {
      throw why;
    }
  }

  /** Throws if this thread is in a transaction. */
  void requireOutside(String what);

  /** Serves a connection. */
  Session session(Primary primary, Copies copies, Connection connection);
}
