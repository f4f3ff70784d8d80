package io.everheap.replication;

import io.everheap.error.ReplicationException;
import io.everheap.log.Terms;
import io.everheap.memory.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A connection of a replica to a primary: one thread sends what is durable, one receives what the
 * replica has.
 */
abstract class Session implements AutoCloseable {
  static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A replica that follows answers each heartbeat; one that is gone does not for so long. */
  private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(3);

  final Primary primary;
  final Connection connection;
  private final Origin origin;
  private final Copies copies;
  private final Instant since = Instant.ofEpochMilli(System.currentTimeMillis());
  private volatile Hello.Who who = Hello.Who.nobody("");
  private volatile long heard; // nanoTime
  private volatile long acknowledged = Long.MIN_VALUE;
  private final Thread receiver;
  private volatile Thread sender = Thread.currentThread();
  private volatile boolean closed;

  Session(Origin origin, Primary primary, Copies copies, Connection connection) {
    this.origin = origin;
    this.primary = primary;
    this.copies = copies;
    this.connection = connection;
    this.receiver = Threads.daemon("everheap-acknowledgements " + connection.peer(), this::receive);
  }

  /** The LSN up to which the replica has the log, durably. */
  final long acknowledged() {
    return acknowledged;
  }

  /** Whether both are connections of one replica, of which the older one may not know its end. */
  final boolean isSameReplica(Session other) {
    return who.id() == other.who.id();
  }

  /**
   * Throws if this is the connection of a copy of a replica, which follows at the same time.
   *
   * @param older of the {@linkplain #isSameReplica same replica}
   * @throws Refusal.RefusedException if the other one was opened separately, and still answers
   */
  final void requireNoCopy(Session older) {
    if (older.who.opening() != who.opening() && System.nanoTime() - older.heard < ALIVE_NANOS) {
      throw new Refusal.RefusedException(
          Refusal.Reason.LATER,
          "another replica with the same identity, "
              + older.who.name()
              + " at "
              + older.connection.peer()
              + ", follows: if the directory was copied, delete the copy, and make a replica"
              + " in its place");
    }
  }

  private void requireNoCopy() {
    try {
      copies.requireNoCopy(this);
    } catch (Refusal.RefusedException e) {
      primary.warn("a copy of a replica is not served", e);
      throw e;
    }
  }

  /** Records which replica is at the other end. */
  final void identify(Hello hello) {
    who = hello.who();
    heard = System.nanoTime();
  }

  /**
   * Records that the replica has the log up to an LSN, durably.
   *
   * @throws ReplicationException if the origin has no such LSN
   */
  final void acknowledge(long lsn) {
    if (lsn < 0 || lsn > origin.durable()) {
      throw new ReplicationException(
          connection.peer()
              + " acknowledges LSN "
              + lsn
              + ", which this "
              + origin.kind()
              + " never had.");
    }
    heard = System.nanoTime();
    acknowledged = Math.max(acknowledged, lsn);
    copies.update();
  }

  /** What the status says of it. */
  final ReplicationStatus.Copy describe() {
    long lsn = acknowledged;
    return new ReplicationStatus.Copy(who.name(), connection.peer(), since, lsn, origin.lag(lsn));
  }

  /** Something is durable that the replica should get at once. */
  final void wake() {
    LockSupport.unpark(sender);
  }

  /** Serves the connection until it ends. */
  final void run() {
    sender = Thread.currentThread();
    try (connection) {
      serve();
    } catch (ProtocolException e) {
      primary.warn("a connection is closed", e);
    } catch (IOException | UncheckedIOException e) {
      // the replica comes back, or does not
    } catch (RuntimeException e) {
      if (!closed) {
        primary.warn("a replica is not served: " + connection.peer(), e);
      }
    } finally {
      Threads.join(receiver); // at once, since the connection is closed
    }
  }

  /** Ends the connection if the replica does not read what is sent. */
  final void endIfStuck() {
    if (connection.isStuck(STUCK_NANOS)) {
      primary.warn(
          "a connection is closed",
          new ReplicationException(connection.peer() + " reads nothing of what is sent to it."));
      connection.close();
    }
  }

  private void serve() throws IOException {
    try {
      Hello hello = Hello.decode(connection.receive(Message.HELLO).buffer(), connection.peer());
      primary.admit();
      identify(hello);
      if (hello.heap().equals(origin.uuid())) {
        if (!Terms.isCredible(origin.term(), hello.term())) {
          throw new ReplicationException(
              connection.peer()
                  + " says that it knows term "
                  + hello.term()
                  + ", which no promotion of this "
                  + origin.kind()
                  + " gives.");
        }
        primary.heard(hello.term(), connection.peer());
      }
      if (hello.purpose() == Hello.Purpose.STATUS) {
        connection.send(Message.STATUS, primary.status().encode());
      } else {
        primary.requireServing();
        requireAsSecret(hello);
        requireNoCopy();
        serve(hello);
      }
    } catch (Refusal.RefusedException e) {
      refuse(e.reason(), e);
    } catch (ReplicationException e) {
      refuse(Refusal.Reason.NEVER, e);
      throw e;
    }
  }

  /**
   * Sends what the replica wants.
   *
   * @throws Refusal.RefusedException if it cannot get that
   */
  abstract void serve(Hello hello) throws IOException;

  /** The refusal of a replica of something else. */
  final Refusal.RefusedException foreign(Hello hello) {
    boolean wantsJournal = hello.purpose() == Hello.Purpose.JOURNAL;
    return new Refusal.RefusedException(
        Refusal.Reason.NEVER,
        "it is a replica of another "
            + (wantsJournal ? "journal" : "heap")
            + ", "
            + hello.heap()
            + ", and this is the "
            + origin.kind()
            + " "
            + origin.uuid());
  }

  private void refuse(Refusal.Reason reason, RuntimeException why) throws IOException {
    connection.send(
        Message.REFUSED, new Refusal(reason, String.valueOf(why.getMessage())).encode());
  }

  /** An encrypted heap is not stored in plaintext elsewhere. */
  private void requireAsSecret(Hello hello) {
    if (origin.encrypted() && !hello.encrypts()) {
      throw new Refusal.RefusedException(
          Refusal.Reason.NEVER,
          "the "
              + origin.kind()
              + " at "
              + origin.location()
              + " is encrypted, and the replica would not be: give it a key"
              + " (Replica.Builder.encrypt, Primary.mirror, --key)");
    }
  }

  final void heartbeat() throws IOException {
    connection.send(Message.HEARTBEAT, beat());
  }

  /** What a heartbeat says. */
  byte[] beat() {
    return ByteBuffer.allocate(8).putLong(origin.durable()).array();
  }

  /** Tells the replica what follows; from now on it acknowledges. */
  final void start(byte[] start) throws IOException {
    connection.send(Message.START, start);
    if (receiver.getState() == Thread.State.NEW) {
      Threads.start(receiver);
    }
  }

  /** Sends what comes, which is empty if there is nothing new, until the connection ends. */
  final void follow(Supplier<byte[]> feed) throws IOException {
    copies.add(this);
    try {
      primary.requireServing(); // again: a fence ends only what was added before it
      copies.update(); // it may have acknowledged all of an archive before it was added
      send(feed);
    } finally {
      copies.remove(this);
    }
  }

  private void send(Supplier<byte[]> feed) throws IOException {
    try {
      long beat = System.nanoTime();
      // The receiver closes the connection when the replica has left.
      while (!closed && !connection.isClosed()) {
        byte[] parts = feed.get();
        long now = System.nanoTime();
        if (parts.length > 0) {
          connection.write(Message.PARTS, parts);
        }
        if (now - beat > HEARTBEAT_NANOS) {
          heartbeat();
          beat = now;
        } else if (parts.length == 0) {
          connection.flush();
          LockSupport.parkNanos(POLL_NANOS);
        }
      }
    } catch (ReplicationException e) {
      throw new Refusal.RefusedException(Refusal.Reason.ANEW, String.valueOf(e.getMessage()));
    }
  }

  private void receive() {
    try {
      while (!closed) {
        ByteBuffer b = connection.receive(Message.ACKNOWLEDGED).buffer();
        acknowledge(b.remaining() == 8 ? b.getLong() : -1);
      }
    } catch (ProtocolException e) {
      primary.warn("a connection is closed", e);
    } catch (IOException e) {
      // the sender notices it as well
    } catch (RuntimeException e) {
      primary.warn("a replica is not served: " + connection.peer(), e);
    } finally {
      connection.close();
    }
  }

  @Override
  public final void close() {
    closed = true;
    wake();
    connection.close();
  }
}
