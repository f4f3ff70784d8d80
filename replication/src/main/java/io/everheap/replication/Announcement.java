package io.everheap.replication;

import io.everheap.memory.Threads;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells peers of the term of a heap, each until it answers: of two primaries the one with the lower
 * term must not commit any more when they can reach each other.
 */
final class Announcement implements AutoCloseable {
  /** What happens if a peer has a higher term. */
  interface Fence {
    void heard(long term, String from);
  }

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Connector connector;
  private final List<InetSocketAddress> untold;
  private final UUID heap;
  private final long term;
  private final Fence fence;
  private final Thread thread;
  private volatile boolean closed;

  /** Creates it without starting. */
  Announcement(Connector connector, List<InetSocketAddress> peers, Origin origin, Fence fence) {
    this.connector = connector;
    this.untold = new ArrayList<>(peers);
    this.heap = origin.uuid();
    this.term = origin.term(); // now: the heap may be closed before this is
    this.fence = fence;
    this.thread = Threads.daemon("everheap-promotion", this::run);
  }

  /** Tells peers of a promotion, which is fenced if one of them has a higher term. */
  static Announcement start(Connector connector, List<InetSocketAddress> peers, Origin origin) {
    Announcement announcement = new Announcement(connector, peers, origin, origin::fence);
    announcement.start();
    return announcement;
  }

  void start() {
    Threads.start(thread);
  }

  private void run() {
    long pause = FIRST_PAUSE_NANOS;
    while (!closed && !untold.isEmpty()) {
      untold.removeIf(peer -> !closed && tell(peer));
      if (!closed && !untold.isEmpty()) {
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  /** Tells a peer; returns whether it answered. */
  private boolean tell(InetSocketAddress peer) {
    ReplicationStatus answer = Status.tell(connector, peer, heap, term);
    if (answer != null && answer.term() > term) {
      fence.heard(answer.term(), peer.toString());
    }
    return answer != null;
  }

  /** Ends it; does not wait for an answer. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
