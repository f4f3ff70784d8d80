package io.everheap.replication;

import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** A connection of a replica of a journal. */
final class JournalSession extends Session {
  private static final UUID NONE = new UUID(0, 0);

  private final JournalOrigin journal;

  JournalSession(JournalSource origin, Primary primary, Copies copies, Connection connection) {
    super(origin, primary, copies, connection);
    this.journal = origin.journal();
  }

  @Override
  void serve(Hello hello) throws IOException {
    if (hello.purpose() != Hello.Purpose.JOURNAL
        || !(hello.heap().equals(journal.uuid()) || hello.heap().equals(NONE))) {
      throw foreign(hello);
    }
    ByteBuffer position = connection.receive(Message.POSITION).buffer();
    if (position.remaining() != JournalPosition.LENGTH) {
      throw new ReplicationException(connection.peer() + " does not say where it is.");
    }
    try (JournalFeed feed = feed(JournalPosition.get(position))) {
      start(
          new JournalStart(
                  journal.uuid(), journal.term(), journal.oldestSequence(), journal.segmentSize())
              .encode());
      follow(feed::next);
    } catch (CorruptException e) {
      if (e.kind() != CorruptException.Kind.JOURNAL) {
        throw e;
      }
      throw new Refusal.RefusedException(
          Refusal.Reason.LATER, "it is damaged: " + String.valueOf(e.getMessage()));
    }
  }

  private JournalFeed feed(JournalPosition at) {
    try {
      return journal.feed(at);
    } catch (ReplicationException e) {
      throw new Refusal.RefusedException(Refusal.Reason.ANEW, String.valueOf(e.getMessage()));
    }
  }

  @Override
  byte[] beat() {
    return ByteBuffer.allocate(16)
        .putLong(journal.durable())
        .putLong(journal.lag(Math.max(0, acknowledged())))
        .array();
  }
}
