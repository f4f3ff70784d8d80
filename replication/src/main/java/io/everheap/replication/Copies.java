package io.everheap.replication;

import io.everheap.engine.tx.RemoteCopies;
import io.everheap.error.EverheapException;
import io.everheap.error.ReplicationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the log is copied: commits wait here until enough replicas have acknowledged them.
 * Thread-safe.
 */
final class Copies implements RemoteCopies {
  /** A thread that waits looks again at least this often, should a wake-up be lost. */
  private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String location;
  private final LongSupplier durable;
  private final BooleanSupplier open;
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::lsn)); // guarded by the lock

  private volatile int wanted;
  private volatile @Nullable Duration patience; // null: for ever
  private volatile long copied = Long.MAX_VALUE; // by as many replicas as wanted
  private volatile boolean degraded;
  private volatile @Nullable EverheapException ended;
  private long oldest = -1; // LSN of the first of those that wait; guarded by the lock
  private long oldestSince;

  /** A commit whose caller does not wait. */
  private record Waiting(long lsn, Consumer<@Nullable EverheapException> action) {}

  /**
   * Creates it.
   *
   * @param durable the LSN up to which the log is durable on this machine
   * @param open whether the heap is open
   */
  Copies(String location, LongSupplier durable, BooleanSupplier open) {
    this.location = location;
    this.durable = durable;
    this.open = open;
  }

  void want(int replicas, @Nullable Duration newPatience) {
    wanted = replicas;
    patience = newPatience;
    degraded = false;
    update();
  }

  int wanted() {
    return wanted;
  }

  boolean isDegraded() {
    return degraded;
  }

  List<Session> sessions() {
    return new ArrayList<>(sessions);
  }

  /** Adds a connection; an older one of the same replica ends, since it must not count twice. */
  void add(Session session) {
    List<Session> older = new ArrayList<>();
    lock.lock();
    try {
      for (Session other : sessions) {
        if (other.isSameReplica(session)) {
          older.add(other);
        }
      }
      sessions.removeAll(older);
      sessions.add(session);
    } finally {
      lock.unlock();
    }
    older.forEach(Session::close);
  }

  void remove(Session session) {
    sessions.remove(session);
    update();
  }

  /** A replica acknowledged something, or the number of replicas that are wanted changed. */
  void update() {
    List<Waiting> due = new ArrayList<>();
    lock.lock();
    try {
      int need = wanted; // with the lock: what an earlier number allowed must not come later
      long[] ends = sessions.stream().mapToLong(Session::acknowledged).sorted().toArray();
      long reached =
          need == 0
              ? Long.MAX_VALUE
              : ends.length < need ? Long.MIN_VALUE : ends[ends.length - need];
      copied = need == 0 ? reached : Math.max(reached, copied == Long.MAX_VALUE ? 0 : copied);
      if (degraded && reached >= durable.getAsLong()) {
        degraded = false;
        log("enough replicas of {0} have all of the log again");
      }
      while (!waiting.isEmpty() && (waiting.peek().lsn <= copied || degraded)) {
        due.add(waiting.remove());
      }
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
    due.forEach(w -> w.action.accept(null));
  }

  @Override
  public void await(long lsn) {
    if (copied >= lsn || degraded) {
      return;
    }
    sessions.forEach(Session::wake);
    boolean interrupted = false;
    long since = System.nanoTime();
    lock.lock();
    try {
      while (copied < lsn && !degraded) {
        EverheapException why = ended;
        if (why != null) {
          throw new ReplicationException(String.valueOf(why.getMessage()), why);
        }
        if (!open.getAsBoolean()) {
          throw new ReplicationException(
              "The heap at " + location + " was closed before enough replicas had a commit.");
        }
        Duration limit = patience;
        long left = limit == null ? RECHECK_NANOS : since + limit.toNanos() - System.nanoTime();
        if (left <= 0) {
          degrade();
          break;
        }
        try {
          var _ = advanced.awaitNanos(Math.min(left, RECHECK_NANOS));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void degrade() {
    degraded = true;
    advanced.signalAll();
    log("too few replicas of {0} acknowledge: commits do not wait for them until they do");
  }

  private void log(String message) {
    System.getLogger(Primary.class.getName()).log(System.Logger.Level.WARNING, message, location);
  }

  @Override
  public void whenCopied(long lsn, Consumer<@Nullable EverheapException> action) {
    EverheapException why;
    lock.lock();
    try {
      why = ended;
      if (copied < lsn && !degraded && why == null) {
        waiting.add(new Waiting(lsn, action));
        sessions.forEach(Session::wake);
        return;
      }
    } finally {
      lock.unlock();
    }
    action.accept(copied >= lsn || degraded ? null : why);
  }

  /** Ends the patience with commits whose callers do not wait; called by one thread repeatedly. */
  void tick() {
    Duration limit = patience;
    boolean late = false;
    lock.lock();
    try {
      Waiting first = waiting.peek();
      if (first == null || first.lsn != oldest) {
        oldest = first == null ? -1 : first.lsn;
        oldestSince = System.nanoTime();
      } else if (limit != null && System.nanoTime() - oldestSince >= limit.toNanos()) {
        degrade();
        late = true;
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      update();
    }
  }

  /** Ends all waits with an error: the commits stand on this machine. */
  void end(EverheapException why) {
    List<Waiting> left;
    lock.lock();
    try {
      ended = why;
      left = new ArrayList<>(waiting);
      waiting.clear();
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(w -> w.action.accept(why));
  }
}
