package io.everheap.log;

import io.everheap.error.EverheapException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the log durable for all waiting threads, with one write at a time. Thread-safe.
 *
 * <p><b>Leading.</b> The first thread that waits becomes the leader: it writes until its own LSN is
 * durable. No write is handed to another thread, so a lone committer writes and syncs by itself.
 *
 * <p><b>Following.</b> The others push a {@link Waiter} on the inbox, a stack, and park. When its
 * LSN is durable, the leader moves the inbox to its pending list, removes the covered waiters from
 * it, gives up the lead, and then wakes them. If waiters are left, it wakes one of them as the
 * candidate for the next leader.
 *
 * <p><b>No wake-up is lost.</b> A thread that pushes checks the lead afterwards; one that gives up
 * the lead without naming a candidate checks the inbox afterwards; and a candidate tries to lead
 * even if its own LSN has become durable meanwhile: either it succeeds and names the next candidate
 * at its end, or another leader is active and will.
 *
 * <p><b>Errors of the virtual machine.</b> A StackOverflowError or an OutOfMemoryError can strike
 * in a write, and again when the failure is reported. So the leader records the failure, and gives
 * up the lead, by stores, which cannot fail; so does it keep the waiters that it could not wake.
 * Calls that were lost, to the listener and to waiters, are made again by the next thread that
 * checks: each waiting platform thread does so periodically, and so does {@link #recheck}.
 *
 * <pre>
 *   field     mode               guard
 *   durable   volatile           written by the leader
 *   leading   volatile, CAS      -
 *   inbox     volatile, CAS      -
 *   pending   plain              the lead
 *   kept      volatile           keeping
 *   failure   volatile           the first one stays, except in races
 *   reported  volatile           -
 * </pre>
 */
public final class GroupCommit {
  /** Writes the log durably; called by the leader only. */
  public interface Sink {
    /**
     * Writes a part of the log from a LSN on.
     *
     * @param durable the LSN below which everything is durable
     * @return the LSN below which everything is durable now, greater than {@code durable}
     */
    long write(long durable);
  }

  /**
   * Creates the exceptions thrown to callers after close or failure of the log.
   *
   * @param location of the log
   * @param whenClosed creates the exception of a closed log, from the location
   * @param whenFailed creates the exception of a failed log, from the location and the cause
   */
  public record Refusals(
      String location,
      Function<String, ? extends RuntimeException> whenClosed,
      BiFunction<String, @Nullable Throwable, ? extends EverheapException> whenFailed) {
    /** The exception of a closed log. */
    public RuntimeException closed() {
      return whenClosed.apply(location);
    }

    /** The exception of a failed log. */
    public EverheapException poisoned(@Nullable Throwable cause) {
      return whenFailed.apply(location, cause);
    }
  }

  /** A waiting thread or action. */
  private static final class Waiter {
    static final int WAITING = 0;
    static final int DONE = 1;
    static final int CANDIDATE = 2;

    final long lsn;
    final @Nullable Thread thread;
    final @Nullable Consumer<@Nullable EverheapException> action;
    final boolean virtual;
    volatile int state;
    @Nullable Waiter next;

    Waiter(
        long lsn, @Nullable Thread thread, @Nullable Consumer<@Nullable EverheapException> action) {
      this.lsn = lsn;
      this.thread = thread;
      this.virtual = thread != null && thread.isVirtual();
      this.action = action;
    }

    boolean claim(int newState) {
      return STATE.compareAndSet(this, WAITING, newState);
    }
  }

  private static final VarHandle LEADING;
  private static final VarHandle INBOX;
  private static final VarHandle STATE;

  /**
   * Time after which a waiting thread checks by itself, in nanoseconds: an error of the virtual
   * machine may have lost its wake-up.
   */
  private static final long RECHECK_NANOS = 100_000_000;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LEADING = lookup.findVarHandle(GroupCommit.class, "leading", boolean.class);
      INBOX = lookup.findVarHandle(GroupCommit.class, "inbox", Waiter.class);
      STATE = lookup.findVarHandle(Waiter.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Refusals refusals;
  private final Sink sink;
  private volatile long durable;
  private volatile boolean leading;
  private volatile @Nullable Waiter inbox;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;
  private volatile boolean reported; // whether the listener has the failure
  private volatile Consumer<Throwable> listener = cause -> {};
  private @Nullable Waiter pending;
  private final Object keeping = new Object();
  private volatile @Nullable Waiter kept; // what leaders could not wake

  /** Creates the group commit of a log that is durable below a LSN. */
  public GroupCommit(Refusals refusals, long durable, Sink sink) {
    this.refusals = refusals;
    this.durable = durable;
    this.sink = sink;
  }

  /** The LSN below which everything is durable. */
  public long durable() {
    return durable;
  }

  /** The failure, or the close, that ended all writing; null if there was none. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Sets the listener for a failure, and calls it for one that came before. */
  public void onFailure(Consumer<Throwable> newListener) {
    listener = newListener;
    Throwable before = failure; // behind the store: a later failure finds the listener
    if (before != null && !closed) {
      newListener.accept(before);
    }
  }

  /** Throws if the log is closed or has failed. */
  public void check() {
    Throwable cause = failure;
    if (cause != null) {
      report(cause);
      throw refusal();
    }
  }

  private RuntimeException refusal() {
    return closed ? refusals.closed() : refusals.poisoned(failure);
  }

  /** Ends all writing without calling the listener, which is the caller; the first cause stays. */
  public void poison(Throwable cause) {
    reported = true;
    if (failure == null) {
      failure = cause;
    }
    lead(Long.MIN_VALUE);
  }

  /** Waits, or leads, until everything below {@code lsn} is durable. */
  public void await(long lsn) {
    if (durable >= lsn) {
      return;
    }
    boolean interrupted = false;
    try {
      while (durable < lsn) {
        check();
        if (!lead(lsn)) {
          interrupted |= follow(lsn);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for one wake-up; returns whether the thread was interrupted meanwhile. */
  private boolean follow(long lsn) {
    Waiter waiter = new Waiter(lsn, Thread.currentThread(), null);
    push(waiter);
    if (!leading && waiter.claim(Waiter.DONE)) {
      lead(lsn); // if another thread leads already, the caller tries again
      return false;
    }
    boolean interrupted = false;
    while (waiter.state == Waiter.WAITING) {
      if (waiter.virtual) {
        LockSupport.park(this); // a timed park costs a virtual thread as much as a commit
      } else {
        LockSupport.parkNanos(this, RECHECK_NANOS);
      }
      interrupted |= Thread.interrupted();
      boolean alone = failure != null || durable >= lsn || !leading;
      if (alone && waiter.claim(Waiter.DONE)) {
        return interrupted; // the caller checks again, and leads if necessary
      }
    }
    if (waiter.state == Waiter.CANDIDATE) {
      lead(lsn);
    }
    return interrupted;
  }

  /** Becomes leader without a write, to wake all threads that need not wait; see the class. */
  public void recheck() {
    lead(Long.MIN_VALUE);
  }

  /**
   * Runs an action when everything below {@code lsn} is durable, or when the log has failed; in
   * this thread or in that of a leader. The action gets null, or the failure.
   */
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    Waiter waiter = new Waiter(lsn, null, action);
    if (durable < lsn && failure == null) {
      push(waiter);
    }
    if (durable >= lsn || failure != null) {
      wakeOne(waiter);
    }
  }

  /** Closes; waits for a running write, and wakes all waiting threads. Can be repeated. */
  public void close() {
    closed = true;
    reported = true;
    if (failure == null) {
      failure = new IllegalStateException("closed");
    }
    boolean interrupted = false;
    while (!lead(Long.MIN_VALUE)) {
      LockSupport.parkNanos(this, 50_000);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Leads, unless another thread does: writes until {@code lsn} is durable, gives up the lead, and
   * wakes the threads that need not wait any more. A failure is stored in {@link #failure}, and not
   * thrown.
   *
   * @return false if another thread leads
   */
  private boolean lead(long lsn) {
    boolean led = false;
    while (!leading && LEADING.compareAndSet(this, false, true)) {
      led = true;
      // All calls are inside a try until a store gives up the lead.
      try {
        while (durable < lsn && failure == null) {
          durable = sink.write(durable);
        }
      } catch (Throwable t) {
        failure = failure == null ? t : failure;
      }
      Throwable cause = failure;
      boolean failed = cause != null;
      Waiter covered = null;
      Waiter candidate = null;
      Throwable error = null;
      try {
        if (cause != null) {
          report(cause);
        }
      } catch (Throwable t) {
        // The next check() reports it again.
      }
      try {
        covered = takeCovered();
        candidate = takeCandidate();
      } catch (Throwable t) {
        failure = failure == null ? t : failure;
        error = t; // at the end of a stack the next attempt would fail as well
      }
      leading = false;
      // Only now: a candidate tries to lead as soon as it is woken.
      boolean named = false;
      boolean woken = false;
      try {
        named = candidate != null && name(candidate);
        while (covered != null) {
          Waiter next = covered.next; // read before the claim, after which the waiter goes on
          wakeOne(covered);
          covered = next;
        }
        woken = true;
      } finally {
        if (!woken) { // no call: it would fail as well
          synchronized (keeping) {
            while (covered != null) {
              Waiter next = covered.next;
              covered.next = kept;
              kept = covered;
              covered = next;
            }
            if (candidate != null && !named) {
              candidate.next = kept;
              kept = candidate;
            }
          }
        }
      }
      if (closed && error instanceof Error e) {
        throw e; // nothing rechecks from now on: the close has to be repeated
      }
      boolean missed = inbox != null || (!failed && failure != null);
      if (named || error != null || (candidate == null && !missed)) {
        break; // else the candidate went on by itself, and others may be left
      }
    }
    return led;
  }

  /** Ends all writing because of a failure; calls the listener before it wakes any thread. */
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    report(cause);
    lead(Long.MIN_VALUE);
  }

  /** Calls the listener, unless a call has succeeded already. */
  private void report(Throwable cause) {
    if (!reported) {
      reported = true;
      try {
        listener.accept(cause);
      } catch (Throwable t) {
        reported = false;
        throw t;
      }
    }
  }

  /** Wakes a thread to lead next, unless it does not wait any more. */
  private static boolean name(Waiter candidate) {
    if (!candidate.claim(Waiter.CANDIDATE)) {
      return false;
    }
    LockSupport.unpark(candidate.thread);
    return true;
  }

  private void push(Waiter waiter) {
    Waiter top;
    do {
      top = inbox;
      waiter.next = top;
    } while (!INBOX.compareAndSet(this, top, waiter));
  }

  /**
   * Called by the leader: moves the inbox, and what is kept, to the pending list, and removes and
   * returns the waiters that need not wait any more. Behind its one call all waiters are in a list.
   */
  private @Nullable Waiter takeCovered() {
    Waiter arrived = inbox == null ? null : (Waiter) INBOX.getAndSet(this, null);
    if (kept != null) {
      synchronized (keeping) {
        for (Waiter w = kept; w != null; ) {
          Waiter next = w.next;
          w.next = pending;
          pending = w;
          w = next;
        }
        kept = null;
      }
    }
    boolean all = failure != null;
    long lsn = durable;
    Waiter covered = null;
    Waiter rest = null;
    for (int list = 0; list < 2; list++) {
      Waiter w = list == 0 ? pending : arrived;
      while (w != null) {
        Waiter next = w.next;
        if (w.state == Waiter.DONE) {
          w.next = null; // it stopped waiting by itself
        } else if (all || w.lsn <= lsn || w.state == Waiter.CANDIDATE) {
          w.next = covered;
          covered = w;
        } else {
          w.next = rest;
          rest = w;
        }
        w = next;
      }
    }
    pending = rest;
    return covered;
  }

  /** Called by the leader: removes and returns a thread of the pending list, to lead next. */
  private @Nullable Waiter takeCandidate() {
    Waiter previous = null;
    for (Waiter w = pending; w != null; previous = w, w = w.next) {
      if (w.thread != null) {
        if (previous == null) {
          pending = w.next;
        } else {
          previous.next = w.next;
        }
        return w;
      }
    }
    return null;
  }

  /** If this fails, the waiter still waits. */
  private void wakeOne(Waiter w) {
    if (w.thread == null) {
      EverheapException outcome = outcome(w);
      if (w.claim(Waiter.DONE)) {
        boolean ran = false;
        try {
          run(w, outcome);
          ran = true;
        } finally {
          if (!ran) {
            w.state = Waiter.WAITING; // the action is called again
          }
        }
      }
    } else if (w.state != Waiter.DONE) {
      LockSupport.unpark(w.thread); // if it is awake before the claim, it makes that itself
      w.claim(Waiter.DONE);
    }
  }

  private @Nullable EverheapException outcome(Waiter w) {
    return durable >= w.lsn ? null : refusals.poisoned(failure);
  }

  private static void run(Waiter waiter, @Nullable EverheapException outcome) {
    Consumer<@Nullable EverheapException> action = waiter.action;
    if (action == null) {
      return;
    }
    try {
      action.accept(outcome);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable t) {
      System.getLogger(GroupCommit.class.getName())
          .log(System.Logger.Level.ERROR, "an action after a commit failed", t);
    }
  }
}
