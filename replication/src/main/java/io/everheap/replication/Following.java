package io.everheap.replication;

import io.everheap.error.CorruptException;
import io.everheap.error.StoppedException;
import io.everheap.memory.Threads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a replica: connects to a primary, stores what it sends, acknowledges what is
 * durable, and begins again when the connection fails.
 *
 * @param <S> what a primary says that follows
 */
abstract class Following<S> {
  private static final int SILENCE_MILLIS = 5_000;

  /** The primary may have to find its place in a large archive. */
  private static final int START_MILLIS = 60_000;

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** While more and more arrives, something is acknowledged at least so often. */
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Told to primaries, which find out copies of this replica by it. */
  final long opening = ThreadLocalRandom.current().nextLong();

  private final Warnings warnings = new Warnings(Replica.class);
  private final Connector connector;
  private final List<InetSocketAddress> primaries;
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
  private @Nullable Established<S> begun; // handed to the thread by its start

  /** A connection on which the log follows. */
  record Established<S>(Connection connection, S start) {}

  Following(String location, Connector connector, List<InetSocketAddress> primaries) {
    this.connector = connector;
    this.primaries = primaries;
    this.thread = Threads.daemon("everheap-replica " + location, this::run);
  }

  /** Sets what the replica has, before it starts. */
  final void has(long newLsn, long newTerm) {
    lsn = newLsn;
    term = newTerm;
  }

  final void start(@Nullable Established<S> first) {
    begun = first;
    thread.start();
  }

  /** Connects to the first primary that serves; null if none does now. */
  final @Nullable Established<S> connectToAny() {
    for (InetSocketAddress to : primaries) {
      try {
        return connect(to);
      } catch (IOException e) {
        problem = Printable.reason(e); // it is tried again and again
      } catch (Refusal.RefusedException e) {
        if (e.isLasting()) {
          throw e;
        }
        problem = String.valueOf(e.getMessage());
      }
    }
    return null;
  }

  private Established<S> connect(InetSocketAddress to) throws IOException {
    Connection made = connector.connect(to);
    connection = made; // for whoever ends this meanwhile
    try {
      made.silence(START_MILLIS);
      if (ending) {
        throw new IOException("the replica is closed");
      }
      S start = greet(made);
      made.silence(SILENCE_MILLIS);
      return new Established<>(made, start);
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /**
   * Says where the replica is, and checks what the primary says that follows.
   *
   * @throws Refusal.RefusedException if it refuses
   */
  abstract S greet(Connection to) throws IOException;

  /** Called by the thread before anything else. */
  abstract void begin();

  /** Stores what is sent until {@link #isEnding}, and acknowledges what is durable. */
  abstract void follow(Connection from, S start) throws IOException;

  private void run() {
    begin();
    int next = 0;
    while (!ending && failure == null) {
      try {
        Established<S> made = begun;
        begun = null;
        if (made == null) {
          made = connect(primaries.get(next++ % primaries.size()));
        }
        connection = made.connection();
        if (!ending) {
          primary = made.connection().peer();
          follow(made.connection(), made.start());
        }
      } catch (Refusal.RefusedException e) {
        if (isFinal(e)) {
          fail(e);
        } else {
          warn(e);
        }
      } catch (StoppedException e) {
        fail(e);
      } catch (IOException e) {
        problem = Printable.reason(e); // it, or another one, comes back
      } catch (RuntimeException e) {
        if (e instanceof CorruptException damage
            && damage.kind() == CorruptException.Kind.JOURNAL) {
          fail(e);
        } else {
          warn(e);
        }
      } catch (Error e) {
        fail(e);
      } finally {
        disconnect();
      }
      rest();
    }
  }

  /**
   * Whether no primary can ever be followed again: one that is known says that its log does not go
   * on from here. Whoever else holds its port for a time must not end this.
   */
  private boolean isFinal(Refusal.RefusedException why) {
    Connection from = connection;
    return why.reason() == Refusal.Reason.ANEW && from != null && from.isAuthenticated();
  }

  /** Logs a failure of a connection once, although it may come again with each one. */
  private void warn(RuntimeException why) {
    String message = Printable.reason(why);
    if (!ending && !message.equals(problem)) {
      warnings.warn("the replica tries again", why);
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

  final boolean isEnding() {
    return ending;
  }

  /** Something arrived. */
  final Connection.Received receive(Connection from) throws IOException {
    Connection.Received received = from.receive();
    heard = System.nanoTime();
    pause = FIRST_PAUSE_NANOS;
    if (received.type() == Message.REFUSED) {
      throw Refusal.decode(received.buffer()).exception(from.peer());
    }
    return received;
  }

  /** A heartbeat arrived, and was answered. */
  final void beat(long newLag) {
    lag = newLag;
    problem = null;
  }

  /** Whether something has to be acknowledged, although more may be there already. */
  final boolean isLate(Connection from) throws IOException {
    return !from.hasMore() || System.nanoTime() - acknowledged > LATEST_NANOS;
  }

  /** The replica has a new term; also after the end of this. */
  final void learned(long newTerm) {
    term = newTerm;
  }

  final void acknowledge(Connection from, long to) throws IOException {
    lsn = to;
    acknowledged = System.nanoTime();
    from.send(Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(to).array());
  }

  final ReplicaStatus status() {
    long last = heard;
    return new ReplicaStatus(
        primary,
        lsn,
        lag,
        last == 0 ? -1 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - last),
        term,
        failure,
        ending ? null : problem);
  }

  /** Ends the thread; waits for the transaction that it applies. */
  final void end() {
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
