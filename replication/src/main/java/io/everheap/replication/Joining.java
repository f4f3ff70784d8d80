package io.everheap.replication;

import io.everheap.engine.EngineOptions;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.error.ReplicationException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** Makes a replica: fetches a base copy, and restores it into a directory. */
final class Joining {
  private static final int SILENCE_MILLIS = 30_000;

  private final Path directory;
  private final Connector connector;
  private final String name;

  Joining(Path directory, Connector connector, String name) {
    this.directory = directory;
    this.connector = connector;
    this.name = name;
  }

  /** Joins the first primary that serves; throws the reason of the last one if none does. */
  void join(List<InetSocketAddress> primaries) {
    RuntimeException last = null;
    for (InetSocketAddress primary : primaries) {
      try {
        join(primary);
        return;
      } catch (IOException e) {
        last =
            new ReplicationException(
                "The replica in "
                    + directory
                    + " cannot be made: no answer from "
                    + primary
                    + " ("
                    + e.getMessage()
                    + "). Is a primary there?",
                e);
      } catch (Refusal.RefusedException | ReplicationException e) {
        last =
            new ReplicationException(
                "The replica in " + directory + " cannot be made: " + e.getMessage(), e);
      }
    }
    throw last == null ? new ReplicationException("No primary is named.") : last;
  }

  private void join(InetSocketAddress primary) throws IOException {
    Path held = directory.resolveSibling(directory.getFileName() + ".joining");
    Files.createDirectories(held);
    Path file = held.resolve(BaseCopy.NAME);
    try {
      fetch(primary, file);
      try (Medium copy = FileMedium.watch(held)) {
        BaseCopy.restore(
            copy,
            () -> Media.open(directory, false, true),
            EngineOptions.defaults(),
            BackupProgress.NONE);
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(held);
    }
  }

  private void fetch(InetSocketAddress primary, Path file) throws IOException {
    try (Connection connection = new Connection(connector.connect(primary), SILENCE_MILLIS);
        OutputStream out = Files.newOutputStream(file)) {
      connection.send(
          Message.HELLO,
          new Hello(Hello.Purpose.JOIN, new UUID(0, 0), ReplicaPosition.NONE, 0, 0, name).encode());
      while (true) {
        Connection.Received received = connection.receive();
        switch (received.type()) {
          case HEARTBEAT -> {} // a checkpoint comes before the copy
          case BASE -> out.write(received.body());
          case BASE_END -> {
            return;
          }
          case REFUSED -> throw Refusal.decode(received.buffer()).exception(connection.peer());
          default ->
              throw new ReplicationException(
                  connection.peer() + " sent " + received.type() + " instead of a base copy.");
        }
      }
    }
  }
}
