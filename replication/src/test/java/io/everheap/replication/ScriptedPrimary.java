package io.everheap.replication;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary that sends what a test has prepared, on a connection in memory, and then ends the
 * connection. The replica runs in the thread of the test; what it sent is read afterwards.
 */
final class ScriptedPrimary {
  static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("primary", 1);

  private final MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
  private final Connection connection;

  ScriptedPrimary() {
    try {
      connection = new Connection(ends.primary(), 0, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prepares a message. */
  ScriptedPrimary send(Message type, byte[] body) {
    try {
      connection.send(type, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  ScriptedPrimary heartbeat(long... numbers) {
    ByteBuffer b = ByteBuffer.allocate(8 * numbers.length);
    for (long number : numbers) {
      b.putLong(number);
    }
    return send(Message.HEARTBEAT, b.array());
  }

  /** What connects a replica to this, which sends nothing more. */
  Connector connector() {
    return to -> connect();
  }

  Connection connect() throws IOException {
    return connect(true);
  }

  /** The same; the replica may not know the primary. */
  Connection connect(boolean known) throws IOException {
    ends.primary().finish();
    return new Connection(ends.replica(), 0, known);
  }

  /** Runs an action before each message of the replica. */
  ScriptedPrimary beforeMessages(Runnable action) {
    ends.replica().beforeWrite(action);
    return this;
  }

  /** The silence that the replica accepts, in milliseconds. */
  int silence() {
    return ends.replica().silence();
  }

  boolean isClosed() {
    return ends.replica().isClosed();
  }

  /** The next message of the replica. */
  Connection.Received receive(Message type) {
    try {
      return connection.receive(type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the replica has acknowledged, after its other messages were read. */
  List<Long> acknowledgements() {
    ends.replica().close();
    List<Long> all = new ArrayList<>();
    try {
      while (true) {
        all.add(connection.receive(Message.ACKNOWLEDGED).buffer().getLong());
      }
    } catch (EOFException e) {
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
