package io.everheap.replication;

import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.PartStream;
import io.everheap.error.PoisonedException;
import io.everheap.error.ReplicationException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a replica: connects to a primary, applies what it sends, acknowledges what is
 * durable, and begins again when the connection fails.
 */
final class Following {
  private static final int SILENCE_MILLIS = 5_000;

  /** The primary may have to find its place in a large archive. */
  private static final int START_MILLIS = 60_000;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** While more and more arrives, something is acknowledged at least so often. */
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Engine engine;
  private final ReplicaApplier applier;
  private final Connector connector;
  private final List<InetSocketAddress> primaries;
  private final String name;
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private volatile @Nullable String primary;
  private volatile @Nullable String failure;
  private volatile @Nullable String problem;
  private volatile boolean ending;
  private volatile long lsn;
  private volatile long lag;
  private volatile long heard; // nanoTime, 0 for never
  private volatile long term; // that of the heap, which may be closed when the status is read
  private long pause = FIRST_PAUSE_NANOS;
  private long acknowledged; // nanoTime

  /** A connection on which the log follows. */
  record Established(Connection connection, Start start) {}

  Following(Engine engine, Connector connector, List<InetSocketAddress> primaries, String name) {
    this.engine = engine;
    this.applier = engine.applier();
    this.connector = connector;
    this.primaries = primaries;
    this.name = name;
    this.lsn = position().lsn();
    this.term = ReplicaPosition.term(engine.memory());
    this.thread = new Thread(this::run, "everheap-replica " + engine.location());
    thread.setDaemon(true);
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

  void start(@Nullable Established first) {
    begun = first;
    thread.start();
  }

  private @Nullable Established begun; // handed to the thread by its start

  /**
   * Connects to a primary.
   *
   * @throws Refusal.RefusedException if it refuses
   */
  Established connect(InetSocketAddress to) throws IOException {
    Connection made = new Connection(connector.connect(to), START_MILLIS);
    connection = made; // for whoever ends this meanwhile
    try {
      if (ending) {
        throw new IOException("the replica is closed");
      }
      ReplicaPosition at = position();
      long term = ReplicaPosition.term(engine.memory());
      made.send(
          Message.HELLO,
          new Hello(
                  Hello.Purpose.FOLLOW,
                  engine.uuid(),
                  at,
                  term,
                  engine.superblock().createdMillis(),
                  engine.medium().encrypted(),
                  name)
              .encode());
      Start start = Start.decode(made.receive(Message.START).buffer(), made.peer());
      made.silence(SILENCE_MILLIS);
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
      return new Established(made, start);
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private void run() {
    applier.begin();
    int next = 0;
    while (!ending && failure == null) {
      try {
        Established made = begun;
        begun = null;
        if (made == null) {
          made = connect(primaries.get(next++ % primaries.size()));
        }
        follow(made);
      } catch (Refusal.RefusedException e) {
        if (e.reason() == Refusal.Reason.ANEW || e.reason() == Refusal.Reason.NEVER) {
          fail(e);
        }
      } catch (PoisonedException e) {
        fail(e);
      } catch (IOException e) {
        problem = String.valueOf(e.getMessage()); // it, or another one, comes back
      } catch (RuntimeException e) {
        warn(e);
      } catch (Error e) {
        fail(e);
      } finally {
        disconnect();
      }
      rest();
    }
  }

  /** Logs a failure of a connection once, although it may come again with each one. */
  private void warn(RuntimeException why) {
    String message = String.valueOf(why.getMessage());
    if (!ending && !message.equals(problem)) {
      System.getLogger(Replica.class.getName())
          .log(System.Logger.Level.WARNING, "the replica tries again", why);
    }
    problem = message;
  }

  private void fail(Throwable why) {
    failure = why instanceof Error ? why.toString() : String.valueOf(why.getMessage());
    System.getLogger(Replica.class.getName())
        .log(System.Logger.Level.ERROR, "the replica follows no primary any more", why);
  }

  private void disconnect() {
    Connection old = connection;
    connection = null;
    primary = null;
    if (old != null) {
      old.close();
    }
  }

  private void rest() {
    long until = System.nanoTime() + pause;
    while (!ending && failure == null && System.nanoTime() < until) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
    pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
  }

  private void follow(Established made) throws IOException {
    Connection from = made.connection();
    connection = from;
    if (ending) {
      return;
    }
    primary = from.peer();
    PartStream stream = stream(from, made.start());
    engine.sync(); // an earlier connection may have ended between a commit and its sync
    acknowledge(from, stream.committed());
    long applied = stream.committed();
    while (!ending) {
      Connection.Received received = from.receive();
      heard = System.nanoTime();
      pause = FIRST_PAUSE_NANOS;
      switch (received.type()) {
        case PARTS -> {
          stream.accept(received.body());
          if (!from.hasMore() || System.nanoTime() - acknowledged > LATEST_NANOS) {
            applied = sync(from, stream.committed(), applied);
          }
        }
        case HEARTBEAT -> {
          applied = sync(from, stream.committed(), applied);
          ByteBuffer b = received.buffer();
          lag = b.remaining() == 8 ? Math.max(0, b.getLong() - stream.lsn()) : 0;
          acknowledge(from, applied);
          problem = null;
        }
        case START -> {
          applied = sync(from, stream.committed(), applied);
          Start next = Start.decode(received.buffer(), from.peer());
          if (next.position().lsn() != stream.lsn()
              || next.position().line() != made.start().position().line()) {
            throw new ReplicationException(
                from.peer() + " leaves out a part of the log before " + next.position() + ".");
          }
          if (next.epoch() != stream.epoch()) { // else it may be within a transaction
            stream = stream(from, next);
          }
        }
        case REFUSED -> throw Refusal.decode(received.buffer()).exception(from.peer());
        default -> throw new ReplicationException(from.peer() + " sent " + received.type() + ".");
      }
    }
  }

  /** The log of an epoch; the state of the replica is that at its start. */
  private PartStream stream(Connection from, Start start) {
    ReplicaPosition at = start.position();
    if (applier.position().line() != at.line()) {
      applier.adopt(at, start.term(), start.ancestor());
      term = ReplicaPosition.term(engine.memory());
    }
    return new PartStream(
        from.peer(),
        engine.uuid(),
        new EpochStart(start.epoch(), at.lsn(), at.chain()),
        applier.receiver(at.line()));
  }

  private long sync(Connection from, long committed, long applied) throws IOException {
    if (committed > applied) {
      engine.sync();
      acknowledge(from, committed);
    }
    return Math.max(committed, applied);
  }

  private void acknowledge(Connection from, long to) throws IOException {
    lsn = to;
    acknowledged = System.nanoTime();
    from.send(Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(to).array());
  }

  ReplicaStatus status() {
    long last = heard;
    return new ReplicaStatus(
        primary,
        lsn,
        lag,
        last == 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - last),
        term,
        failure,
        problem);
  }

  /** The heap was promoted after the end of this. */
  void promoted(long newTerm) {
    term = newTerm;
  }

  /** Ends the thread; waits for the transaction that it applies. */
  void end() {
    ending = true;
    Connection open = connection;
    if (open != null) {
      open.close();
    }
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
