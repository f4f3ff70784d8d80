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
import io.everheap.memory.NewFiles;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes a replica: fetches a base copy into a directory beside it, {@code DIR.joining/base}, and
 * restores it. Both are deleted afterwards, and those that an interrupted join left before; a
 * directory of that name with anything else in it is refused.
 */
final class Joining {
  private static final int SILENCE_MILLIS = 30_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final String BASE = "base";

  /** Files of a copy, in the order in which they are deleted: without the key none is readable. */
  private static final List<String> COPY = List.of("keys", "keys.new", BaseCopy.NAME);

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

  /**
   * Joins the first primary that serves. Waits while one makes a copy for another replica; throws
   * the reason of the last one if none does.
   */
  void join(List<InetSocketAddress> primaries) {
    while (true) {
      RuntimeException last = null;
      boolean busy = false;
      for (InetSocketAddress primary : primaries) {
        try {
          join(primary);
          return;
        } catch (IOException e) {
          last =
              failed(
                  "no answer from "
                      + primary
                      + " ("
                      + Printable.reason(e)
                      + "). Is a primary"
                      + " there?",
                  e);
        } catch (Refusal.RefusedException e) {
          busy |= e.reason() == Refusal.Reason.BUSY;
          last = failed(Printable.reason(e), e);
        } catch (ReplicationException e) {
          last = failed(Printable.reason(e), e);
        }
      }
      if (!busy || Thread.currentThread().isInterrupted()) {
        throw last == null ? new ReplicationException("No primary is named.") : last;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private ReplicationException failed(String why, Exception cause) {
    return new ReplicationException(
        "The replica in " + directory + " cannot be made: " + why, cause);
  }

  private void join(InetSocketAddress primary) throws IOException {
    Path held = directory.resolveSibling(directory.getFileName() + ".joining");
    requireOwn(held);
    try {
      join(primary, held);
    } finally {
      deleteIfEmpty(held);
    }
  }

  private void join(InetSocketAddress primary, Path held) throws IOException {
    try (Medium _ = FileMedium.open(held, false, true)) { // for its lock
      requireOwn(held);
      discard(held.resolve(BASE));
      try {
        NewFiles.createDirectories(held.resolve(BASE));
        try (Medium copy = SealedMedium.with(FileMedium.beside(held.resolve(BASE)), keys)) {
          fetch(primary, copy);
          BaseCopy.restore(
              copy,
              () -> SealedMedium.with(Media.open(directory, false, true), keys),
              EngineOptions.defaults(),
              BackupProgress.NONE);
        }
      } finally {
        discard(held.resolve(BASE));
        Files.deleteIfExists(held.resolve("lock")); // while it is held
      }
    }
  }

  private static void deleteIfEmpty(Path held) throws IOException {
    try {
      Files.deleteIfExists(held);
    } catch (DirectoryNotEmptyException e) {
      // another process has begun to use it
    }
  }

  /** Throws unless a directory is missing, or has only what an interrupted join left. */
  private static void requireOwn(Path held) throws IOException {
    requireOnly(held, List.of("lock", "owner", BASE));
    requireOnly(held.resolve(BASE), COPY);
  }

  private static void requireOnly(Path directory, List<String> names) throws IOException {
    if (Files.exists(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        for (Path file : files) {
          if (!names.contains(file.getFileName().toString())) {
            throw new ReplicationException(
                directory
                    + " is in the way: it has the file "
                    + file.getFileName()
                    + ", which no interrupted join left. Move it, or give the replica another"
                    + " directory.");
          }
        }
      }
    }
  }

  private static void discard(Path base) throws IOException {
    for (String file : COPY) {
      Files.deleteIfExists(base.resolve(file));
    }
    Files.deleteIfExists(base);
  }

  private void fetch(InetSocketAddress primary, Medium copy) throws IOException {
    try (Connection connection = connector.connect(primary);
        MediumFile file = copy.create(BaseCopy.NAME)) {
      connection.silence(SILENCE_MILLIS);
      connection.send(
          Message.HELLO,
          new Hello(
                  Hello.Purpose.JOIN,
                  new UUID(0, 0),
                  ReplicaPosition.NONE,
                  0,
                  copy.encrypted(),
                  Hello.Who.nobody(name))
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
