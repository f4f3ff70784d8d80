package io.everheap.replication;

import io.everheap.error.EverheapException;
import io.everheap.error.ReplicationException;
import io.everheap.log.RemoteCopies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the log is copied: commits wait here until enough replicas have acknowledged them.
 * Thread-safe.
 */
final class Copies implements RemoteCopies {
  /** A platform thread that waits looks again at least this often, should a wake-up be lost. */
  private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Waits that are ended at once, so that no acknowledgement needs much memory. */
  private static final int MOST_AT_ONCE = 1024;

  private static final long FOR_EVER = Long.MAX_VALUE;
  private static final long LEAST_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long MOST_TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String location;
  private final LongSupplier durable;
  private final BooleanSupplier open;
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final Object lock = new Object();
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::lsn)); // guarded by the lock

  private volatile int wanted;
  private volatile long patience = FOR_EVER; // in nanoseconds
  private volatile long copied = Long.MAX_VALUE; // by as many replicas as wanted
  private volatile boolean degraded;
  private volatile @Nullable EverheapException ended;
  private long mark; // while degraded: an LSN that was durable here at a time
  private long markedAt;

  /** What waits for a commit, since a time. */
  private record Waiting(long lsn, long since, Consumer<@Nullable EverheapException> action) {
    void end(@Nullable EverheapException outcome) {
      try {
        action.accept(outcome);
      } catch (VirtualMachineError e) {
        throw e; // it is tried again
      } catch (RuntimeException | Error e) { // the others must get theirs
        System.getLogger(Primary.class.getName())
            .log(System.Logger.Level.WARNING, "a commit could not be completed", e);
      }
    }
  }

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
    synchronized (lock) {
      wanted = replicas;
      patience = newPatience == null ? FOR_EVER : TimeUnit.NANOSECONDS.convert(newPatience);
      degraded = false;
    }
    update();
  }

  int number() {
    return wanted;
  }

  @Override
  public boolean wanted() {
    return wanted > 0;
  }

  boolean isDegraded() {
    return degraded;
  }

  List<Session> sessions() {
    synchronized (lock) { // not while a connection of a replica replaces an older one
      return new ArrayList<>(sessions);
    }
  }

  /**
   * Throws if a copy of the replica at the other end of a connection follows.
   *
   * @throws Refusal.RefusedException if so
   */
  void requireNoCopy(Session session) {
    synchronized (lock) {
      older(session).forEach(session::requireNoCopy);
    }
  }

  private List<Session> older(Session session) {
    return sessions.stream().filter(session::isSameReplica).toList();
  }

  /**
   * Adds a connection; an older one of the same replica ends, since it must not count twice.
   *
   * @throws Refusal.RefusedException if a copy of the replica follows
   */
  void add(Session session) {
    List<Session> older;
    synchronized (lock) {
      older = older(session);
      older.forEach(session::requireNoCopy);
      sessions.removeAll(older);
      sessions.add(session);
    }
    older.forEach(Session::close);
  }

  /** Removes a connection; without it no more commits have enough copies. */
  void remove(Session session) {
    sessions.remove(session);
  }

  /** A replica acknowledged something, or the number of replicas that are wanted changed. */
  void update() {
    boolean more;
    do {
      more = endDue();
    } while (more);
  }

  /** Ends waits; whether there are more. */
  private boolean endDue() {
    List<Waiting> due;
    boolean more;
    boolean recovered;
    synchronized (lock) {
      due = new ArrayList<>(Math.min(waiting.size(), MOST_AT_ONCE)); // before any is removed
      int need = wanted; // with the lock: what an earlier number allowed must not come later
      long[] ends = sessions.stream().mapToLong(Session::acknowledged).sorted().toArray();
      long reached =
          need == 0
              ? Long.MAX_VALUE
              : ends.length < need ? Long.MIN_VALUE : ends[ends.length - need];
      copied = need == 0 ? reached : Math.max(reached, copied == Long.MAX_VALUE ? 0 : copied);
      recovered = degraded && reached >= mark && recovers(reached);
      while (due.size() < MOST_AT_ONCE && isDue(waiting.peek())) {
        due.add(waiting.remove());
      }
      more = isDue(waiting.peek());
    }
    try {
      endAll(due, null);
    } finally {
      if (recovered) { // told without the lock, for which commits wait
        log("enough replicas of {0} have all of the log again");
      }
    }
    return more;
  }

  private boolean isDue(@Nullable Waiting first) {
    return first != null && (first.lsn <= copied || degraded);
  }

  /** Ends waits; those that an error of the virtual machine left are ended by a tick. */
  private void endAll(List<Waiting> due, @Nullable EverheapException outcome) {
    int next = 0;
    try {
      for (Waiting w : due) {
        w.end(outcome);
        next++;
      }
    } finally {
      if (next < due.size()) {
        synchronized (lock) {
          for (; next < due.size(); next++) {
            waiting.add(due.get(next)); // as a rule the queue has room for it
          }
        }
      }
    }
  }

  /** Ends the state in which commits do not wait, if one of now would not wait for too long. */
  private boolean recovers(long reached) {
    long end = durable.getAsLong();
    if (reached >= end || System.nanoTime() - markedAt <= patience) {
      degraded = false;
      return true;
    }
    mark(end);
    return false;
  }

  private void mark(long lsn) {
    mark = lsn;
    markedAt = System.nanoTime();
  }

  @Override
  public void await(long lsn) {
    if (copied < lsn && !degraded) {
      Waiter waiter = new Waiter();
      whenCopied(lsn, waiter);
      waiter.join();
    }
  }

  /** A thread that waits for a commit: it alone is woken when the commit is copied. */
  private static final class Waiter implements Consumer<@Nullable EverheapException> {
    private final Thread thread = Thread.currentThread();
    private @Nullable EverheapException failure;
    private volatile boolean done;

    @Override
    public void accept(@Nullable EverheapException outcome) {
      failure = outcome;
      done = true;
      LockSupport.unpark(thread);
    }

    void join() {
      boolean interrupted = false;
      while (!done) {
        if (thread.isVirtual()) {
          LockSupport.park(this); // a timed park costs a virtual thread as much as a commit
        } else {
          LockSupport.parkNanos(this, RECHECK_NANOS);
        }
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (failure != null) {
        throw new ReplicationException(String.valueOf(failure.getMessage()), failure);
      }
    }
  }

  private ReplicationException closed() {
    return new ReplicationException(
        location + " was closed before enough replicas had what was written.");
  }

  private void log(String message) {
    System.getLogger(Primary.class.getName()).log(System.Logger.Level.WARNING, message, location);
  }

  @Override
  public void whenCopied(long lsn, Consumer<@Nullable EverheapException> action) {
    EverheapException why;
    boolean waits;
    synchronized (lock) {
      why = ended;
      waits = copied < lsn && !degraded && why == null;
      if (waits) {
        waiting.add(new Waiting(lsn, System.nanoTime(), action));
        sessions.forEach(Session::wake);
      }
    }
    if (!waits) {
      action.accept(copied >= lsn || degraded ? null : why);
    }
  }

  /**
   * Ends waits that are too long, that were left, and all when the heap is closed; called by one
   * thread repeatedly.
   *
   * @return the nanoseconds after which it must be called again
   */
  long tick() {
    boolean closed;
    boolean late;
    boolean due;
    EverheapException why;
    synchronized (lock) {
      Waiting first = waiting.peek();
      why = first == null ? null : ended;
      closed = first != null && !open.getAsBoolean();
      due = isDue(first);
      late =
          first != null && why == null && !degraded && System.nanoTime() - first.since >= patience;
      if (late) {
        mark(durable.getAsLong());
        degraded = true;
      }
    }
    if (why != null) {
      end(why);
    } else if (closed) {
      end(closed());
    } else if (late) {
      try {
        update();
      } finally {
        if (degraded) { // else a replica has acknowledged everything meanwhile
          log("too few replicas of {0} acknowledge: commits do not wait for them until they do");
        }
      }
    } else if (due) {
      update();
    }
    return Math.clamp(patience / 4, LEAST_TICK_NANOS, MOST_TICK_NANOS);
  }

  /** Ends all waits with an error: the commits stand on this machine. */
  void end(EverheapException why) {
    List<Waiting> left;
    synchronized (lock) {
      ended = ended == null ? why : ended;
      left = new ArrayList<>(waiting);
      waiting.clear();
    }
    endAll(left, why);
  }
}
