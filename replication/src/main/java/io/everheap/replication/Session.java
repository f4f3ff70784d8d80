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
import io.everheap.error.CorruptLogException;
import io.everheap.error.ReplicationException;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Threads;
import io.everheap.report.BackupProgress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A connection of a replica to a primary: one thread sends the log, one receives what it has. */
final class Session implements AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Engine engine;
  private final Primary primary;
  private final Copies copies;
  private final Connection connection;
  private final Instant since = Instant.ofEpochMilli(System.currentTimeMillis());
  private volatile String name = "";
  private volatile long created;
  private volatile long acknowledged = Long.MIN_VALUE;
  private final Thread receiver;
  private volatile Thread sender = Thread.currentThread();
  private volatile boolean closed;

  Session(Engine engine, Primary primary, Copies copies, Connection connection) {
    this.engine = engine;
    this.primary = primary;
    this.copies = copies;
    this.connection = connection;
    this.receiver =
        Thread.ofPlatform()
            .daemon()
            .name("everheap-acknowledgements " + connection.peer())
            .unstarted(this::receive);
  }

  /** The LSN up to which the replica has the log, durably. */
  long acknowledged() {
    return acknowledged;
  }

  /** Whether both are connections of one replica, of which the older one may not know its end. */
  boolean isSameReplica(Session other) {
    return created == other.created && name.equals(other.name);
  }

  /** What the status says of it. */
  ReplicationStatus.Copy describe() {
    long lsn = acknowledged;
    return new ReplicationStatus.Copy(
        name, connection.peer(), since, lsn, Math.max(0, engine.log().durable() - lsn));
  }

  /** Something is durable that the replica should get at once. */
  void wake() {
    LockSupport.unpark(sender);
  }

  /** Serves the connection until it ends. */
  void run() {
    sender = Thread.currentThread();
    try (connection) {
      serve();
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
  void endIfStuck() {
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
      name = hello.name();
      created = hello.created();
      if (hello.heap().equals(engine.uuid())) {
        primary.heard(hello.term(), connection.peer());
      }
      switch (hello.purpose()) {
        case STATUS -> connection.send(Message.STATUS, primary.status().encode());
        case JOIN -> {
          primary.requireServing();
          requireAsSecret(hello);
          sendBase(hello.encrypts() ? MediumFile.BLOCK : 1);
        }
        case FOLLOW -> {
          primary.requireServing();
          requireAsSecret(hello);
          try (LogFeed feed = feed(hello)) {
            follow(feed);
          }
        }
      }
    } catch (Refusal.RefusedException e) {
      refuse(e.reason(), e);
    } catch (ReplicationException e) {
      refuse(Refusal.Reason.NEVER, e);
      throw e;
    }
  }

  private void refuse(Refusal.Reason reason, RuntimeException why) throws IOException {
    connection.send(
        Message.REFUSED, new Refusal(reason, String.valueOf(why.getMessage())).encode());
  }

  /** An encrypted heap is not stored in plaintext elsewhere. */
  private void requireAsSecret(Hello hello) {
    if (engine.medium().encrypted() && !hello.encrypts()) {
      throw new Refusal.RefusedException(
          Refusal.Reason.NEVER,
          "the heap at "
              + engine.location()
              + " is encrypted, and the replica would not be: give it a key"
              + " (Replica.Builder.encrypt, Primary.mirror, --key)");
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
          Refusal.Reason.LATER, "a backup is being made: " + String.valueOf(e.getMessage()));
    } catch (BackupException e) {
      throw new Refusal.RefusedException(
          Refusal.Reason.LATER, "the copy was given up: " + String.valueOf(e.getMessage()));
    }
    connection.send(Message.BASE_END, new byte[0]);
  }

  /** Shortens the checkpoint that the copy begins with, which may take longer than a silence. */
  private void checkpoint() throws IOException {
    Thread thread =
        Thread.ofPlatform().daemon().name("everheap-base").unstarted(this::tryCheckpoint);
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

  private void heartbeat() throws IOException {
    connection.send(
        Message.HEARTBEAT, ByteBuffer.allocate(8).putLong(engine.log().durable()).array());
  }

  /** The log from where the replica is, or a refusal. */
  private LogFeed feed(Hello hello) throws IOException {
    if (!hello.heap().equals(engine.uuid())) {
      throw new Refusal.RefusedException(
          Refusal.Reason.NEVER,
          "it is a replica of another heap, " + hello.heap() + ", and this is " + engine.uuid());
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
    } catch (ReplicationException | CorruptLogException e) {
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
    connection.send(
        Message.START, new Start(engine.uuid(), epoch, at, primary.term(), ancestor).encode());
    if (receiver.getState() == Thread.State.NEW) { // from now on the replica acknowledges
      Threads.start(receiver);
    }
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

  private void follow(LogFeed feed) throws IOException {
    copies.add(this);
    try {
      copies.update(); // it may have acknowledged all of an archive before it was added
      long beat = System.nanoTime();
      while (!closed) {
        byte[] parts = feed.next();
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
    } finally {
      copies.remove(this);
      connection.close();
    }
  }

  private void receive() {
    try {
      while (!closed) {
        ByteBuffer b = connection.receive(Message.ACKNOWLEDGED).buffer();
        long lsn = b.remaining() == 8 ? b.getLong() : -1;
        if (lsn < 0 || lsn > engine.log().durable()) {
          throw new ReplicationException(
              connection.peer() + " acknowledges LSN " + lsn + ", which this heap never had.");
        }
        acknowledged = Math.max(acknowledged, lsn);
        copies.update();
      }
    } catch (IOException e) {
      // the sender notices it as well
    } catch (RuntimeException e) {
      primary.warn("a replica is not served: " + connection.peer(), e);
    } finally {
      connection.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    wake();
    connection.close();
  }
}
