package io.everheap.replication;

import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.PartStream;
import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/** The thread of a replica of a heap: applies the log of a primary. */
final class HeapFollowing extends Following<Start> {
  private final Engine engine;
  private final ReplicaApplier applier;
  private final String name;
  private final long created; // when the files of this heap were made
  private long id; // see identify
  private boolean identified; // whether the id is stored

  HeapFollowing(
      Engine engine, Connector connector, List<InetSocketAddress> primaries, String name) {
    super(engine.location(), connector, primaries);
    this.engine = engine;
    this.applier = engine.applier();
    this.name = name;
    this.created = engine.superblock().createdMillis();
    this.id = applier.identity(created);
    this.identified = id != 0;
    if (id == 0) {
      id = newId();
      if (applier.position().line() != 0) {
        applier.begin();
        identify();
      }
    }
    has(position().lsn(), ReplicaPosition.term(engine.memory()));
  }

  private static long newId() {
    return UUID.randomUUID().getMostSignificantBits(); // never 0, for its version
  }

  /**
   * Stores by what primaries tell this replica from others. In a heap that is no replica yet that
   * would be a transaction which its primary has not: it waits until the heap follows.
   */
  private void identify() {
    if (!identified) {
      applier.identify(id, created);
      identified = true;
    }
  }

  /** The state of the heap; that of a former primary is the end of its own log. */
  private ReplicaPosition position() {
    ReplicaPosition at = applier.position();
    if (at.line() != 0) {
      return at;
    }
    engine.checkpoint();
    var s = engine.superblock();
    return new ReplicaPosition(s.createdMillis(), s.checkpointLsn(), s.chain());
  }

  @Override
  Start greet(Connection made) throws IOException {
    ReplicaPosition at = position();
    long term = ReplicaPosition.term(engine.memory());
    made.send(
        Message.HELLO,
        new Hello(
                Hello.Purpose.FOLLOW,
                engine.uuid(),
                at,
                term,
                engine.medium().encrypted(),
                new Hello.Who(id, opening, name))
            .encode());
    Start start = Start.decode(made.receive(Message.START).buffer(), made.peer());
    if (!start.heap().equals(engine.uuid()) || start.term() < term) {
      throw new Refusal.RefusedException(
          Refusal.Reason.FENCED,
          made.peer()
              + " is a primary of term "
              + start.term()
              + ", and this replica knows "
              + term);
    }
    boolean same = start.position().line() == at.line();
    if (!at.equals(same ? start.position() : start.ancestor().end())) {
      throw new ReplicationException(
          made.peer()
              + " sends the log from "
              + start.position()
              + ", which does not follow "
              + at
              + ", the state of this replica.");
    }
    return start;
  }

  @Override
  void begin() {
    applier.begin();
  }

  @Override
  void follow(Connection from, Start start) throws IOException {
    PartStream stream = stream(from, start);
    engine.sync(); // an earlier connection may have ended between a commit and its sync
    acknowledge(from, stream.committed());
    long applied = stream.committed();
    while (!isEnding()) {
      Connection.Received received = receive(from);
      switch (received.type()) {
        case PARTS -> {
          accept(stream, received.body(), from);
          if (isLate(from)) {
            applied = sync(from, stream.committed(), applied);
          }
        }
        case HEARTBEAT -> {
          applied = sync(from, stream.committed(), applied);
          ByteBuffer b = received.buffer();
          acknowledge(from, applied);
          beat(b.remaining() == 8 ? Math.max(0, b.getLong() - stream.lsn()) : 0);
        }
        case START -> {
          applied = sync(from, stream.committed(), applied);
          Start next = Start.decode(received.buffer(), from.peer());
          if (next.position().lsn() != stream.lsn()
              || next.position().line() != start.position().line()) {
            throw new ReplicationException(
                from.peer() + " leaves out a part of the log before " + next.position() + ".");
          }
          if (next.epoch() != stream.epoch()) { // else it may be within a transaction
            stream = stream(from, next);
          }
        }
        default -> throw new ReplicationException(from.peer() + " sent " + received.type() + ".");
      }
    }
  }

  /**
   * Applies parts of the log.
   *
   * @throws ReplicationException if the primary sent something else: no file here is damaged
   */
  private static void accept(PartStream stream, byte[] parts, Connection from) {
    try {
      stream.accept(parts);
    } catch (CorruptException e) {
      if (e.kind() != CorruptException.Kind.LOG) {
        throw e;
      }
      throw new ReplicationException(
          from.peer()
              + " sent a log that does not continue that of this replica at LSN "
              + stream.lsn()
              + ": it was damaged on its way, or it is that of another heap.",
          e);
    }
  }

  /**
   * The log of an epoch; the state of the replica is that at its start. A transaction of twice the
   * limit of this heap could not be applied: it is refused before all of it is in memory.
   */
  private PartStream stream(Connection from, Start start) {
    ReplicaPosition at = start.position();
    if (applier.position().line() != at.line()) {
      applier.adopt(at, start.term(), start.ancestor());
      identify();
      learned(ReplicaPosition.term(engine.memory()));
    }
    return new PartStream(
            from.peer(),
            engine.uuid(),
            new EpochStart(start.epoch(), at.lsn(), at.chain()),
            applier.receiver(at.line()))
        .limit(Math.clamp(engine.options().maxTransaction(), 0, Long.MAX_VALUE / 2) * 2);
  }

  private long sync(Connection from, long committed, long applied) throws IOException {
    if (committed > applied) {
      engine.sync();
      acknowledge(from, committed);
    }
    return Math.max(committed, applied);
  }
}
