package io.everheap;

import io.everheap.backup.BackupSink;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartStream;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A primary and its replica in one process, without a network. */
final class ReplicaPair implements AutoCloseable {
  private final Path replicaPath;
  private final Heap primary;
  private Heap replica;
  private Link link;

  ReplicaPair(Heap primary, Path replicaPath) {
    this.primary = primary;
    this.replicaPath = replicaPath;
    join(primary, replicaPath);
    this.replica = open(replicaPath);
    this.link = new Link(primary, replica);
  }

  Heap replica() {
    return replica;
  }

  /** Applies what is durable on the primary. */
  void pump() {
    primary.sync();
    while (link.step()) {
      // goes on
    }
  }

  /** Closes the replica and opens it again. */
  void reopen() {
    link.close();
    replica.close();
    replica = open(replicaPath);
    link = new Link(primary, replica);
  }

  static Heap open(Path path) {
    return HeapSettings.role(Heap.builder(path), HeapSettings.Role.REPLICA).open();
  }

  static void join(Heap primary, Path replica) {
    Path held = replica.resolveSibling(replica.getFileName() + ".joining");
    try {
      Files.createDirectories(held);
      try (FileChannel file =
          FileChannel.open(
              held.resolve(BaseCopy.NAME),
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        BaseCopy.send(
            OpenHeap.engine(primary),
            new BackupSink() {
              @Override
              public void append(ByteBuffer bytes) {
                try {
                  while (bytes.hasRemaining()) {
                    file.write(bytes);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }

              @Override
              public void sync() {}
            },
            BackupProgress.NONE);
      }
      BaseCopy.restore(
          FileMedium.watch(held),
          () -> Media.open(replica, false, true),
          EngineOptions.defaults(),
          BackupProgress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a connection does. */
  static final class Link implements AutoCloseable {
    private final LogFeed feed;
    private final PartStream stream;
    private final ReplicaApplier applier;
    private final Heap replica;

    Link(Heap primary, Heap replica) {
      this.replica = replica;
      Engine from = OpenHeap.engine(primary);
      this.applier = OpenHeap.engine(replica).applier();
      applier.begin();
      ReplicaPosition at = applier.position();
      if (at.line() != from.superblock().createdMillis()) {
        throw new IllegalStateException("another line: " + at);
      }
      this.feed = LogFeed.open(from.medium(), from.log(), at.lsn(), at.chain());
      this.stream =
          new PartStream(
              from.location(),
              from.uuid(),
              new EpochStart(feed.epoch(), at.lsn(), at.chain()),
              applier.receiver(at.line()));
    }

    boolean step() {
      byte[] parts = feed.next();
      if (parts.length == 0) {
        return false;
      }
      stream.accept(parts);
      replica.sync();
      return true;
    }

    @Override
    public void close() {
      feed.close();
    }
  }

  @Override
  public void close() {
    link.close();
    replica.close();
  }
}
