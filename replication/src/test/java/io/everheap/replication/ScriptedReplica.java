package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A replica that does what a test says, on a connection in memory to the real session of a primary.
 * On return of each method the primary has processed what the replica sent.
 */
final class ScriptedReplica implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000;

  private final MemorySocket socket;
  private final Connection connection;
  private final Session session;
  private final Thread server;

  /** Connects to the session that a primary makes for a connection. */
  ScriptedReplica(Function<Connection, Session> primary) {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    socket = ends.replica();
    try {
      connection = new Connection(socket, 0, true);
      session = primary.apply(new Connection(ends.primary(), 0, true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = Thread.ofPlatform().daemon().start(session::run);
  }

  Session session() {
    return session;
  }

  MemorySocket socket() {
    return socket;
  }

  /** Introduces itself, and reads the start; returns when its acknowledgements count. */
  ScriptedReplica join(Copies copies, Hello hello) {
    send(Message.HELLO, hello.encode());
    return joined(copies);
  }

  /** Reads the start; returns when its acknowledgements count. */
  ScriptedReplica joined(Copies copies) {
    receive(Message.START);
    while (!copies.sessions().contains(session) && server.isAlive()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return processed();
  }

  /** Sends two messages at once: the first one may be the last that is read. */
  ScriptedReplica send(Message first, byte[] body, Message second, byte[] more) {
    try {
      connection.write(first, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return send(second, more);
  }

  ScriptedReplica send(Message type, byte[] body) {
    try {
      connection.send(type, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** The next message, which must be of a type; heartbeats before another one are ignored. */
  Connection.Received receive(Message type) {
    Connection.Received received = type == Message.HEARTBEAT ? next() : receive();
    if (received.type() != type) {
      throw new AssertionError(received.type() + " instead of " + type);
    }
    return received;
  }

  /** The next message, other than heartbeats. */
  Connection.Received receive() {
    Connection.Received received = next();
    while (received.type() == Message.HEARTBEAT) {
      received = next();
    }
    return received;
  }

  private Connection.Received next() {
    try {
      return connection.receive();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The refusal that comes instead of a start. */
  Refusal refusal() {
    Refusal refusal = Refusal.decode(receive(Message.REFUSED).buffer());
    untilEnded();
    return refusal;
  }

  ScriptedReplica acknowledge(long lsn) {
    return send(Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(lsn).array()).processed();
  }

  /** Sends an acknowledgement for which the primary closes the connection. */
  void acknowledgeInVain(byte[] body) {
    send(Message.ACKNOWLEDGED, body);
    untilEnded();
  }

  ScriptedReplica processed() {
    socket.untilProcessed();
    return this;
  }

  /** Waits until the primary has ended the connection. */
  void untilEnded() {
    try {
      Limit.join(server);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  /** Whether the thread of the session runs. */
  boolean isServed() {
    return server.isAlive();
  }

  /** Whether the thread of the session waits for the end of another thread. */
  boolean waitsForThread() {
    return Arrays.stream(server.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(Thread.class.getName())
                    && frame.getMethodName().equals("join"));
  }

  /** Leaves. */
  @Override
  public void close() {
    socket.close();
    untilEnded();
  }

  /** The hello of a replica of a heap or journal. */
  static Hello hello(Hello.Purpose purpose, UUID of, ReplicaPosition at, String name, long id) {
    return new Hello(purpose, of, at, 0, false, new Hello.Who(id, 0, name));
  }
}
