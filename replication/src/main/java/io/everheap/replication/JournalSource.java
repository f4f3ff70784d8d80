package io.everheap.replication;

import io.everheap.error.FencedException;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.log.RemoteCopies;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open journal. */
record JournalSource(JournalOrigin journal) implements Origin {
  /**
   * That of a journal that is open for appending.
   *
   * @throws io.everheap.error.ReadOnlyException if it is only read here
   */
  static JournalSource of(Journal open) {
    return new JournalSource(JournalReplication.origin(open, open.info().location()));
  }

  @Override
  public String kind() {
    return "journal";
  }

  @Override
  public UUID uuid() {
    return journal.uuid();
  }

  @Override
  public String location() {
    return journal.location();
  }

  @Override
  public boolean isOpen() {
    return journal.isOpen();
  }

  @Override
  public boolean encrypted() {
    return journal.encrypted();
  }

  @Override
  public long term() {
    return journal.term();
  }

  @Override
  public long durable() {
    return journal.durable();
  }

  @Override
  public long lag(long lsn) {
    return journal.lag(Math.max(0, lsn));
  }

  @Override
  public AtomicReference<@Nullable RemoteCopies> copies() {
    return journal.copies();
  }

  @Override
  public void refuse(Supplier<FencedException> why) {
    journal.refuse(why);
  }

  @Override
  public @Nullable RuntimeException refusal() {
    return journal.refusal();
  }

  @Override
  public void requireOutside(String what) {
    // appends are not in transactions
  }

  @Override
  public Session session(Primary primary, Copies copies, Connection connection) {
    return new JournalSession(this, primary, copies, connection);
  }
}
