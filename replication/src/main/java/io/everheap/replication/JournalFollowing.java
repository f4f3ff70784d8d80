package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalTarget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** The thread of a replica of a journal: stores the records of a primary. */
final class JournalFollowing extends Following<JournalStart> {
  private static final UUID NONE = new UUID(0, 0);

  private final JournalTarget target;
  private final String name;

  JournalFollowing(
      JournalTarget target, Connector connector, List<InetSocketAddress> primaries, String name) {
    super(target.location(), connector, primaries);
    this.target = target;
    this.name = name;
    target.settle();
    has(target.durable(), target.term());
  }

  @Override
  JournalStart greet(Connection made) throws IOException {
    JournalPosition at = target.settle();
    UUID known = target.uuid();
    long term = target.term();
    made.send(
        Message.HELLO,
        new Hello(
                Hello.Purpose.JOURNAL,
                known == null ? NONE : known,
                ReplicaPosition.NONE,
                term,
                target.encrypted(),
                new Hello.Who(target.id(), opening, name))
            .encode());
    made.send(Message.POSITION, at.put(ByteBuffer.allocate(JournalPosition.LENGTH)).array());
    JournalStart start = JournalStart.decode(made.receive(Message.START).buffer(), made.peer());
    if (known != null && !known.equals(start.journal())) {
      throw new ReplicationException(made.peer() + " sends another journal.");
    }
    if (start.term() < term) {
      throw new Refusal.RefusedException(
          Refusal.Reason.FENCED,
          made.peer()
              + " is a primary of term "
              + start.term()
              + ", and this replica knows "
              + term);
    }
    target.follow(start.term(), start.journal(), start.oldest(), start.segmentSize());
    learned(target.term());
    return start;
  }

  @Override
  void begin() {
    // the target is used by one thread after the other
  }

  @Override
  void follow(Connection from, JournalStart start) throws IOException {
    acknowledge(from, target.durable());
    while (!isEnding()) {
      Connection.Received received = receive(from);
      switch (received.type()) {
        case PARTS -> {
          target.accept(received.body());
          if (isLate(from)) {
            acknowledge(from, target.durable());
          }
        }
        case HEARTBEAT -> {
          ByteBuffer b = received.buffer();
          acknowledge(from, target.durable());
          boolean all = b.remaining() == 16 && b.getLong() <= target.durable();
          beat(all || b.remaining() != 8 ? 0 : b.getLong());
        }
        default -> throw new ReplicationException(from.peer() + " sent " + received.type() + ".");
      }
    }
  }
}
