package io.everheap.replication;

import io.everheap.backup.BackupSink;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.ArchivedParts;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogArchiver;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.LogHold;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Threads;
import io.everheap.report.BackupProgress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A connection of a replica of a heap. */
final class HeapSession extends Session {
  private final Engine engine;

  HeapSession(Engine engine, Origin origin, Primary primary, Copies copies, Connection connection) {
    super(origin, primary, copies, connection);
    this.engine = engine;
  }

  @Override
  void serve(Hello hello) throws IOException {
    switch (hello.purpose()) {
      case JOIN -> sendBase(hello.encrypts() ? MediumFile.BLOCK : 1);
      case FOLLOW -> {
        try (LogFeed feed = feed(hello)) {
          follow(feed::next);
        }
      }
      default -> throw foreign(hello);
    }
  }

  /** Sends a copy whose size is a multiple of that of a block of the replica's files. */
  private void sendBase(int block) throws IOException {
    BackupSink sink =
        new BackupSink() {
          @Override
          public int block() {
            return block;
          }

          @Override
          public void append(ByteBuffer bytes) {
            byte[] part = new byte[bytes.remaining()];
            bytes.get(part);
            try {
              connection.write(Message.BASE, part);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }

          @Override
          public void sync() {} // it is the replica's
        };
    checkpoint();
    try {
      BaseCopy.send(engine, sink, BackupProgress.NONE);
    } catch (IllegalStateException e) {
      throw new Refusal.RefusedException(
          Refusal.Reason.BUSY, "a backup is being made: " + String.valueOf(e.getMessage()));
    } catch (BackupException e) {
      throw new Refusal.RefusedException(
          Refusal.Reason.LATER, "the copy was given up: " + String.valueOf(e.getMessage()));
    }
    connection.send(Message.BASE_END, new byte[0]);
  }

  /** Shortens the checkpoint that the copy begins with, which may take longer than a silence. */
  private void checkpoint() throws IOException {
    Thread thread = Threads.daemon("everheap-base", this::tryCheckpoint);
    Threads.start(thread);
    try {
      while (!join(thread)) {
        heartbeat();
      }
    } finally {
      Threads.join(thread);
    }
  }

  private void tryCheckpoint() {
    try {
      engine.checkpoint();
    } catch (RuntimeException e) {
      // that of the copy fails as well
    }
  }

  private static boolean join(Thread thread) {
    try {
      return thread.join(Duration.ofNanos(HEARTBEAT_NANOS));
    } catch (InterruptedException e) {
      return false; // interrupts have no meaning for this thread
    }
  }

  /** The log from where the replica is, or a refusal. */
  private LogFeed feed(Hello hello) throws IOException {
    if (!hello.heap().equals(engine.uuid())) {
      throw foreign(hello);
    }
    long line = engine.superblock().createdMillis();
    ReplicaPosition at = hello.position();
    ReplicaPosition.Ancestor ancestor = ReplicaPosition.ancestor(engine.memory());
    try {
      if (at.line() == line) {
        return feed(at, line, ancestor);
      }
      if (at.line() != 0 && at.equals(ancestor.end())) {
        return begun(
            LogFeed.open(engine.medium(), engine.log(), ancestor.beginning()), line, ancestor);
      }
    } catch (ReplicationException | CorruptException e) {
      if (e instanceof CorruptException damage && damage.kind() != CorruptException.Kind.LOG) {
        throw e;
      }
      throw new Refusal.RefusedException(Refusal.Reason.ANEW, String.valueOf(e.getMessage()));
    }
    throw new Refusal.RefusedException(
        Refusal.Reason.ANEW,
        "its state is not one that this heap had: it followed another line of the log"
            + (at.line() == ancestor.end().line()
                ? ", up to LSN " + at.lsn() + " instead of " + ancestor.end().lsn()
                : ""));
  }

  /**
   * The log from a place in this heap's own line. What the log does not have any more comes from
   * the archive, or from what is left in the log's files.
   */
  private LogFeed feed(ReplicaPosition at, long line, ReplicaPosition.Ancestor ancestor)
      throws IOException {
    LogFeed feed;
    try {
      feed = LogFeed.open(engine.medium(), engine.log(), at.lsn(), at.chain());
    } catch (ReplicationException e) {
      feed = feedFromOld(at, new OldSender(line, ancestor));
    }
    return begun(feed, line, ancestor);
  }

  private LogFeed feedFromOld(ReplicaPosition at, OldSender sender) throws IOException {
    try (LogHold _ = engine.log().hold(() -> {})) { // until the feed has its own
      LogArchiver archiver = engine.archiver();
      if (archiver != null) {
        archiver.read(at.lsn(), at.chain(), sender);
      } else {
        LogFeed.readOld(engine.medium(), engine.uuid(), engine.log(), at.lsn(), at.chain(), sender);
      }
      sender.flush();
      return LogFeed.open(engine.medium(), engine.log(), sender.lsn, sender.chain);
    }
  }

  /** Tells the replica what follows; closes the feed if that fails. */
  private LogFeed begun(LogFeed feed, long line, ReplicaPosition.Ancestor ancestor)
      throws IOException {
    try {
      start(feed.epoch(), new ReplicaPosition(line, feed.lsn(), feed.chain()), ancestor);
      return feed;
    } catch (IOException | RuntimeException e) {
      feed.close();
      throw e;
    }
  }

  private void start(long epoch, ReplicaPosition at, ReplicaPosition.Ancestor ancestor)
      throws IOException {
    start(new Start(engine.uuid(), epoch, at, primary.term(), ancestor).encode());
  }

  /** Sends the log from before the segments in use. */
  private final class OldSender implements ArchivedParts {
    private static final int ENOUGH = 256 << 10;

    private final long line;
    private final ReplicaPosition.Ancestor ancestor;
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private long lsn;
    private int chain;

    OldSender(long line, ReplicaPosition.Ancestor ancestor) {
      this.line = line;
      this.ancestor = ancestor;
    }

    @Override
    public void epoch(EpochStart start) {
      try {
        flush();
        lsn = start.lsn();
        chain = start.chain();
        start(start.epoch(), new ReplicaPosition(line, lsn, chain), ancestor);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void part(byte[] part, long end, int crc) {
      parts.writeBytes(part);
      lsn = end;
      chain = crc;
      try {
        if (parts.size() > ENOUGH) {
          flush();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void flush() throws IOException {
      byte[] bytes = parts.toByteArray();
      parts.reset();
      if (bytes.length > 0) {
        connection.send(Message.PARTS, bytes);
      }
    }
  }
}
