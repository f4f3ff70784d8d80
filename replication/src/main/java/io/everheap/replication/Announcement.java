package io.everheap.replication;

import io.everheap.memory.Threads;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells peers of the term of a heap that was promoted, each until it answers: a former primary that
 * cannot be reached now must not commit any more when it can.
 */
final class Announcement implements AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Connector connector;
  private final List<InetSocketAddress> untold;
  private final UUID heap;
  private final long term;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Creates it without starting.
   *
   * @param heap uuid
   * @param term that they must hear of
   */
  Announcement(Connector connector, List<InetSocketAddress> peers, UUID heap, long term) {
    this.connector = connector;
    this.untold = new ArrayList<>(peers);
    this.heap = heap;
    this.term = term;
    this.thread = Thread.ofPlatform().daemon().name("everheap-promotion").unstarted(this::run);
  }

  void start() {
    Threads.start(thread);
  }

  private void run() {
    long pause = FIRST_PAUSE_NANOS;
    while (!closed && !untold.isEmpty()) {
      untold.removeIf(peer -> !closed && Status.tell(connector, peer, heap, term));
      if (!closed && !untold.isEmpty()) {
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  /** Ends it; does not wait for an answer. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
