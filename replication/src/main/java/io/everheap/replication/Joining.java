package io.everheap.replication;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.error.ReplicationException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes a replica: fetches a base copy, and restores it into a directory. */
final class Joining {
  private static final int SILENCE_MILLIS = 30_000;

  /** What there may be beside a copy; the key first. */
  private static final List<String> FILES =
      List.of("keys", "keys.new", BaseCopy.NAME, "lock", "owner");

  private final Path directory;
  private final Connector connector;
  private final String name;
  private final @Nullable KeyProvider keys;

  /**
   * Prepares to join.
   *
   * @param keys of a replica that is encrypted; null for others
   */
  Joining(Path directory, Connector connector, String name, @Nullable KeyProvider keys) {
    this.directory = directory;
    this.connector = connector;
    this.name = name;
    this.keys = keys;
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
    discard(held);
    try {
      try (Medium copy = SealedMedium.with(FileMedium.open(held, false, true), keys)) {
        fetch(primary, copy);
        BaseCopy.restore(
            copy,
            () -> SealedMedium.with(Media.open(directory, false, true), keys),
            EngineOptions.defaults(),
            BackupProgress.NONE);
      }
    } finally {
      discard(held);
    }
  }

  /** Deletes a copy and its key. */
  private static void discard(Path held) throws IOException {
    for (String name : FILES) {
      Files.deleteIfExists(held.resolve(name));
    }
    Files.deleteIfExists(held);
  }

  private void fetch(InetSocketAddress primary, Medium copy) throws IOException {
    try (Connection connection = new Connection(connector.connect(primary), SILENCE_MILLIS);
        MediumFile file = copy.create(BaseCopy.NAME)) {
      connection.send(
          Message.HELLO,
          new Hello(
                  Hello.Purpose.JOIN,
                  new UUID(0, 0),
                  ReplicaPosition.NONE,
                  0,
                  0,
                  copy.encrypted(),
                  name)
              .encode());
      long position = 0;
      while (true) {
        Connection.Received received = connection.receive();
        switch (received.type()) {
          case HEARTBEAT -> {} // a checkpoint comes before the copy
          case BASE -> {
            file.write(received.buffer(), position);
            position += received.body().length;
          }
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
