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
 * Makes the log durable for all threads that wait, with one write at a time. Thread-safe.
 *
 * <p><b>Leading.</b> The first thread that waits leads: it writes until its own LSN is durable. No
 * write is handed to another thread, so a lone committer syncs for itself.
 *
 * <p><b>Following.</b> The others push a {@link Waiter} on the inbox, a stack, and park. A leader
 * that is done moves the inbox to its pending list, takes the covered waiters out, gives up the
 * lead, and then wakes them. If some are not covered, it wakes one more as a candidate.
 *
 * <p><b>No wake-up is lost.</b> A thread that pushes looks at the lead afterwards, one that gives
 * up the lead without naming a candidate looks at the inbox afterwards, and a candidate tries to
 * lead even if its own LSN has become durable meanwhile: either it succeeds and names the next one
 * at its end, or another leader is active and will.
 *
 * <p><b>Errors of the virtual machine.</b> A StackOverflowError or an OutOfMemoryError can strike
 * in a write, and again when the failure is reported. So the leader stores the failure, and gives
 * the lead up, by stores, which cannot fail; what takes calls, the listener and the waiting
 * threads, is made up for by the next thread that looks: each platform thread that waits does so at
 * times, and {@link #look} does.
 *
 * <pre>
 *   field     mode               guard
 *   durable   volatile           written by the leader
 *   leading   volatile, CAS      -
 *   inbox     volatile, CAS      -
 *   pending   plain              the lead
 *   failure   volatile           the first one stays, but for races
 *   told      volatile           -
 * </pre>
 */
public final class GroupCommit {
  /** Writes parts durably; called by the leader only. */
  public interface Sink {
    /**
     * Writes something after a LSN.
     *
     * @param durable everything below is durable
     * @return the LSN up to which everything is durable now, greater
     */
    long write(long durable);
  }

  /**
   * Makes the exceptions for callers after the end of the log.
   *
   * @param location of the log
   * @param whenClosed makes one for a log that was closed
   * @param whenFailed makes one for a log that failed, from the location and the cause
   */
  public record Refusals(
      String location,
      Function<String, ? extends RuntimeException> whenClosed,
      BiFunction<String, @Nullable Throwable, ? extends EverheapException> whenFailed) {
    /** The exception for a log that was closed. */
    public RuntimeException closed() {
      return whenClosed.apply(location);
    }

    /** The exception for a log that failed. */
    public EverheapException poisoned(@Nullable Throwable cause) {
      return whenFailed.apply(location, cause);
    }
  }

  /** A thread, or an action, that waits. */
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
   * After which a waiting thread looks for itself, in nanoseconds: an error of the virtual machine
   * can keep another one from waking it.
   */
  private static final long LOOK_AFTER = 100_000_000;

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
  private volatile boolean told; // the listener, of the failure
  private volatile Consumer<Throwable> listener = cause -> {};
  private @Nullable Waiter pending;

  /**
   * Waiters that an error of the virtual machine kept from being woken; the next leader wakes them.
   */
  private volatile @Nullable Waiter strays;

  /** Creates the group commit of a log that is durable below a LSN. */
  public GroupCommit(Refusals refusals, long durable, Sink sink) {
    this.refusals = refusals;
    this.durable = durable;
    this.sink = sink;
  }

  /** The LSN up to which everything is durable. */
  public long durable() {
    return durable;
  }

  /** What ended all writing, or null. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Sets the listener for a failure. */
  public void onFailure(Consumer<Throwable> newListener) {
    listener = newListener;
  }

  /** Throws if the log does nothing any more. */
  public void check() {
    Throwable cause = failure;
    if (cause != null) {
      tell(cause);
      throw refusal();
    }
  }

  private RuntimeException refusal() {
    return closed ? refusals.closed() : refusals.poisoned(failure);
  }

  /**
   * Ends all writing without telling the listener, which made this call; the first cause counts.
   */
  public void poison(Throwable cause) {
    told = true;
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
      lead(lsn); // or look again, if another thread was faster
      return false;
    }
    boolean interrupted = false;
    while (waiter.state == Waiter.WAITING) {
      if (waiter.virtual) {
        LockSupport.park(this); // a wait with an end costs a virtual thread as much as a commit
      } else {
        LockSupport.parkNanos(this, LOOK_AFTER);
      }
      interrupted |= Thread.interrupted();
      boolean alone = failure != null || durable >= lsn || !leading;
      if (alone && waiter.claim(Waiter.DONE)) {
        return interrupted; // to look, and to lead if need be
      }
    }
    if (waiter.state == Waiter.CANDIDATE) {
      lead(lsn);
    }
    return interrupted;
  }

  /** Leads for a moment, so that no thread waits that need not; see the class comment. */
  public void look() {
    lead(Long.MIN_VALUE);
  }

  /** Runs an action when everything below {@code lsn} is durable, or never will be. */
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    Waiter waiter = new Waiter(lsn, null, action);
    if (durable < lsn && failure == null) {
      push(waiter);
    }
    if ((durable >= lsn || failure != null) && waiter.claim(Waiter.DONE)) {
      run(waiter);
    }
  }

  /** Ends everything; waits for a write in flight. */
  public void close() {
    closed = true;
    told = true;
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
   * Leads, unless another thread does: writes until {@code lsn} is durable, gives the lead up, and
   * wakes the threads that need not wait any more. A failure is stored, for all that look, and not
   * thrown.
   *
   * @return false if another thread leads
   */
  private boolean lead(long lsn) {
    boolean led = false;
    while (!leading && LEADING.compareAndSet(this, false, true)) {
      led = true;
      // Until the lead is given up by a store, all calls are inside of a try.
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
      try {
        if (cause != null) {
          tell(cause);
        }
      } catch (Throwable t) {
        // Threads that look tell it again.
      }
      try {
        covered = takeCovered();
        candidate = takeCandidate();
      } catch (Throwable t) {
        failure = failure == null ? t : failure;
      }
      leading = false;
      // A candidate may try to lead as soon as it knows, so it learns it after the lead is free.
      if (candidate != null && candidate.claim(Waiter.CANDIDATE)) {
        LockSupport.unpark(candidate.thread);
      }
      wake(covered);
      boolean missed = inbox != null || (!failed && failure != null);
      if (candidate != null || !missed) {
        break;
      }
    }
    return led;
  }

  /** Ends all writing and tells the listener, before any thread that waits knows. */
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    tell(cause);
    lead(Long.MIN_VALUE);
  }

  /** Tells the listener once; again if it failed. */
  private void tell(Throwable cause) {
    if (!told) {
      told = true;
      try {
        listener.accept(cause);
      } catch (Throwable t) {
        told = false;
        throw t;
      }
    }
  }

  private void push(Waiter waiter) {
    Waiter top;
    do {
      top = inbox;
      waiter.next = top;
    } while (!INBOX.compareAndSet(this, top, waiter));
  }

  /**
   * Holding the lead: moves the inbox to the pending list and takes out those that need not wait.
   */
  private @Nullable Waiter takeCovered() {
    Waiter arrived = inbox == null ? null : (Waiter) INBOX.getAndSet(this, null);
    boolean all = failure != null;
    long lsn = durable;
    Waiter covered = null;
    Waiter rest = null;
    for (int list = 0; list < 2; list++) {
      Waiter w = list == 0 ? pending : arrived;
      while (w != null) {
        Waiter next = w.next;
        if (w.state != Waiter.WAITING) {
          w.next = null; // it led itself, or its action ran
        } else if (all || w.lsn <= lsn) {
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

  /** Holding the lead: takes a thread out of the pending list, to lead next. */
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

  private void wake(@Nullable Waiter covered) {
    Waiter left = strays;
    if (left != null) {
      strays = null;
      wake(left);
    }
    Waiter w = covered;
    boolean done = false;
    try {
      while (w != null) {
        Waiter next = w.next; // read before the waiter knows
        if (w.claim(Waiter.DONE)) {
          if (w.thread != null) {
            LockSupport.unpark(w.thread);
          } else {
            run(w);
          }
        }
        w = next;
      }
      done = true;
    } finally {
      if (!done) {
        strays = w;
      }
    }
  }

  private void run(Waiter waiter) {
    Consumer<@Nullable EverheapException> action = waiter.action;
    if (action == null) {
      return;
    }
    EverheapException outcome = durable >= waiter.lsn ? null : refusals.poisoned(failure);
    try {
      action.accept(outcome);
    } catch (Throwable t) {
      System.getLogger(GroupCommit.class.getName())
          .log(System.Logger.Level.ERROR, "an action after a commit failed", t);
    }
  }
}
