package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.error.ReadOnlyException;
import io.everheap.error.ReplicationException;
import io.everheap.error.TooLargeException;
import io.everheap.log.CopiedWrite;
import io.everheap.log.RemoteCopies;
import io.everheap.memory.MappedFaults;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of one heap: one writer at a time, so they are serializable, run exactly once
 * and never deadlock. Inside, a second {@code begin} sets a savepoint.
 *
 * <p>A commit appends one record, applies it to the home image between an odd and an even version
 * of the stripes that it touches, releases the lock, and then waits for the log if it must be
 * durable. Between the append and the end of the apply nothing allocates on the Java heap and no
 * user code runs; a failure there poisons the heap, for the log already holds the record.
 *
 * <p>Thread-safe. Use {@link #call} and {@link #run}; or, where their lambda would be allocated too
 * often: {@code begin(); boolean ok = false; try { ...; ok = true; } finally { lock.endsDue++;
 * end(ok); }}
 *
 * <h2>Errors of the virtual machine</h2>
 *
 * After a StackOverflowError or an OutOfMemoryError the heap either works, with the transaction
 * rolled back, or it is poisoned. An error in a body is rolled back like an exception, unless it
 * interrupted a change of the state in memory ({@link WriteSet#isTorn}, {@link
 * CommitParticipant#isTorn}). An error in {@link #end} that leaves the lock held is stored to
 * {@link WriterLock#broken}, which needs no call. An error in the call of {@code end} itself leaves
 * {@link WriterLock#endsDue} above zero, because it is incremented before the call: from then on
 * the thread counts as outside of the transaction, so it reads the committed state, and the next
 * thread that begins a transaction poisons the heap.
 */
public final class Transactions {
  private final Room room = new Room();
  private final Home home;
  private final Log log;
  private final Stripes stripes;
  private final CommitMonitor monitor;
  private final boolean syncByDefault;
  private final boolean replica;
  private volatile @Nullable Thread applier; // the only thread that changes a replica

  /** The lock; public, since the {@code finally} around a transaction stores to it. */
  public final WriterLock lock;

  private final HeapMemory memory;
  private final CarrierShare carriers;
  private final ReadViews views;
  private final Turns turns;
  private final Running running;
  private final Commits commits;
  private final Completions completions = new Completions();
  private @Nullable StoreBarrier barrier; // while a collection runs; guarded by the lock
  private volatile boolean gateShut;
  private final AtomicReference<@Nullable RemoteCopies> copies = new AtomicReference<>();

  /**
   * The body of a transaction, or of a read.
   *
   * @param <T> type of the result
   * @param <X> the checked exception that it may throw
   */
  @FunctionalInterface
  public interface Body<T extends @Nullable Object, X extends Exception> {
    /** Loads and stores. */
    @Nullable T run() throws X;
  }

  /** A {@link Body} without a result. */
  @FunctionalInterface
  public interface Action<X extends Exception> {
    /** Loads and stores. */
    void run() throws X;
  }

  /**
   * Creates the transactions of a home image and its log.
   *
   * @param maxBytes maximum size of one transaction in the log
   * @param lockTimeoutNanos how long a writer waits for the lock
   * @param syncByDefault whether a commit waits until it is durable
   * @param replica whether commits store what the log of another heap says
   */
  public Transactions(
      Home home,
      Log log,
      CommitMonitor monitor,
      long maxBytes,
      long lockTimeoutNanos,
      boolean syncByDefault,
      boolean replica) {
    this.replica = replica;
    this.stripes = new Stripes(replica);
    this.home = home;
    this.log = log;
    this.monitor = monitor;
    this.lock = new WriterLock(lockTimeoutNanos);
    this.syncByDefault = syncByDefault;
    WriteSet writes = new WriteSet(maxBytes);
    this.memory = new HeapMemory(home, lock, writes);
    this.carriers = new CarrierShare(lock, () -> log.durable() < log.appended());
    this.views = new ReadViews(stripes, lock, carriers, this::exclusively);
    this.turns = new Turns(lock, monitor);
    this.running = new Running(writes, lock, turns);
    this.commits = new Commits(home, log, stripes, lock, turns, monitor, running, maxBytes);
  }

  /** Sets the participant of commits and rollbacks; once, before the first transaction. */
  public void setParticipant(CommitParticipant participant) {
    running.participant = participant;
  }

  /** The bytes of the home image as the calling thread sees them. */
  public HeapMemory memory() {
    return memory;
  }

  /** The versions that readers validate. */
  public Stripes stripes() {
    return stripes;
  }

  /** Whether the calling thread is inside a transaction. */
  public boolean isWriter() {
    return lock.isWriter();
  }

  /** Frees blocks of earlier transactions, before one that might find the heap full. */
  public Room room() {
    return room;
  }

  /** Shuts or opens the gate before outermost transactions; see {@link CommitMonitor#awaitGate}. */
  public void shutGate(boolean shut) {
    gateShut = shut;
  }

  /**
   * Runs a body as a transaction, or as a nested level of the running one. If it throws, its stores
   * are undone and the exception is thrown to the caller; a failure of the rollback is suppressed.
   */
  @SuppressWarnings("NullAway") // a body returns null only where its type says so
  public <T extends @Nullable Object, X extends Exception> T call(Body<T, X> body) throws X {
    begin();
    T result;
    try {
      result = body.run();
    } catch (Throwable t) {
      lock.endsDue++;
      rollBack(t);
      throw t;
    }
    lock.endsDue++;
    end(true);
    return result;
  }

  /** Like {@link #call}, without a result. */
  public <X extends Exception> void run(Action<X> body) throws X {
    begin();
    try {
      body.run();
    } catch (Throwable t) {
      lock.endsDue++;
      rollBack(t);
      throw t;
    }
    lock.endsDue++;
    end(true);
  }

  /**
   * Takes the writer lock, or, inside a transaction, begins a nested level. An interrupt does not
   * end the wait and is kept.
   *
   * @throws LockTimeoutException if another transaction runs for too long
   * @throws ReadOnlyException on a replica, except for the thread that applies the log
   */
  public void begin() {
    Thread self = Thread.currentThread();
    if (lock.isWriter()) {
      running.beginNested();
      return;
    }
    if (replica && !self.equals(applier)) {
      throw ReadOnlyException.heap(
          "This heap is a replica: it has only what its primary commits. Write to the primary, or"
              + " promote the replica.");
    }
    if (room.isWanted() && !replica && !lock.isHeldBy(self) && !views.inView()) {
      room.make();
    }
    if (gateShut) {
      monitor.awaitGate();
    }
    acquire(self);
    // No calls from here on: nothing may fail between taking the lock and setting the writer.
    lock.writer = self;
    lock.turn++;
    running.depth = 1;
    running.sync = syncByDefault;
  }

  private void acquire(Thread self) {
    if (views.inView()) {
      throw new IllegalStateException("a write inside Heap.read: use Heap.transact instead");
    }
    if (lock.isHeldBy(self)) {
      turns.refuseIfLost(self);
      throw new IllegalStateException("a transaction cannot begin here: this thread reads");
    }
    turns.take(self, false);
    while (gateShut) { // it may have been shut while this thread waited
      lock.owner = null;
      lock.wakeNext();
      monitor.awaitGate();
      turns.take(self, false);
    }
  }

  /** Poisons the heap if this thread began a transaction that it could not end. */
  public void breakIfLost() {
    turns.breakIfLost();
  }

  /**
   * Ends the innermost level. The outermost commit is durable on return if the transaction is
   * synchronous; if it throws before the record was appended, the transaction is rolled back.
   *
   * @param commit whether to keep the stores of the level
   * @throws TooLargeException if the record is too large, or if a store of this level was refused
   *     because of that, although the program caught it; the level was rolled back
   * @throws io.everheap.error.DiskFullException if the log has no space; it was rolled back
   * @throws io.everheap.error.StoppedException if the outcome is unknown
   * @throws ReplicationException if it is durable here, but not on enough copies
   */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  public void end(boolean commit) {
    TooLargeException refusal = commit ? running.writes.refusal() : null;
    if (refusal != null && running.depth > 1) {
      rollBack(refusal);
      throw refusal;
    }
    Thread self = turns.beginEnd();
    List<Runnable> hooks;
    long lsn = -1;
    try {
      if (running.depth > 1) {
        hooks = running.endNested(commit);
        lock.endsDue = 0;
      } else if (commit) {
        MappedFaults.arrive(); // a load that failed may have led to the stores
        boolean durable = running.sync;
        hooks = running.hooks.commit();
        long appended = commits.appendAndApply();
        lsn = durable ? appended : -1;
      } else {
        hooks = running.hooks.abort();
        running.rollBack();
      }
    } catch (Throwable t) {
      if (lock.writer == self) { // what failed and kept the lock is never ended
        if (lock.broken == null) {
          lock.broken = t;
        }
        lock.endsDue = 1;
        monitor.poison(t);
      }
      if (t instanceof InternalError fault) {
        throw faulted(fault);
      }
      throw t;
    }
    if (lsn >= 0) {
      RemoteCopies remote = copies.get(); // before the wait, which its end must end too
      try {
        if (remote != null && CopiedWrite.suits(remote)) {
          awaitCopied(lsn, remote);
        }
        log.awaitDurable(lsn);
        if (remote != null) {
          remote.await(lsn);
        }
      } catch (ReplicationException e) { // the commit stands
        Hooks.run(hooks, e);
        throw e;
      }
    }
    if (!hooks.isEmpty()) {
      Hooks.run(hooks);
    }
  }

  private void awaitCopied(long lsn, RemoteCopies remote) {
    new CopiedWrite(remote, () -> lsn).await(action -> log.whenDurable(lsn, action));
  }

  /**
   * Rolls the innermost level back because of an exception, which the caller throws again; a
   * failure of the rollback is suppressed in it. If the exception is a fault of mapped memory, this
   * poisons the heap, and throws the exception of the poisoned heap instead.
   */
  @SuppressWarnings("ReferenceEquality") // nothing can suppress itself
  public void rollBack(Throwable cause) {
    try {
      end(false);
    } catch (RuntimeException | Error e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
    if (cause instanceof InternalError fault) {
      var _ = faulted(fault); // if it returns, the caller throws the cause
    }
  }

  /**
   * Takes a snapshot of the committed state; called in a transaction that has stored nothing.
   *
   * @param budget maximum size of the copied lines, in bytes
   */
  public Snapshot snapshot(long budget) {
    requireWriter();
    Snapshot taken = new Snapshot(home, budget);
    commits.snapshot = taken;
    return taken;
  }

  /** Whether there is a snapshot; inside a transaction. */
  public boolean hasSnapshot() {
    requireWriter();
    return commits.snapshot != null;
  }

  /** Drops the snapshot; called inside a transaction, or while none runs. */
  public void dropSnapshot() {
    commits.snapshot = null;
  }

  /** Sets the barrier, or removes it (null); called inside a transaction, or while none runs. */
  public void setBarrier(@Nullable StoreBarrier newBarrier) {
    barrier = newBarrier;
  }

  /**
   * Informs the barrier. To be called before a reference to an existing object or structure is
   * stored, in the transaction that stores it; does nothing outside of a transaction.
   *
   * @throws io.everheap.error.GoneException if the collector has found it unreachable
   */
  public void storing(long reference) {
    StoreBarrier b = barrier;
    if (b != null && lock.isWriter()) {
      b.stored(reference);
    }
  }

  /**
   * Sets whether the commit of the running transaction waits until it is durable. A nested level
   * can only turn this on.
   */
  public void wantSync(boolean wanted) {
    requireWriter();
    running.sync = running.depth == 1 ? wanted : running.sync || wanted;
  }

  /** The number of nesting levels, including the outermost; called inside a transaction. */
  public int depth() {
    requireWriter();
    return running.depth;
  }

  /** Runs {@code hook} after the outermost commit, without the lock; dropped by a rollback. */
  public void onCommit(Runnable hook) {
    requireWriter();
    running.hooks.onCommit(hook);
  }

  /** Runs {@code hook} after the level that it was registered in was rolled back. */
  public void onAbort(Runnable hook) {
    requireWriter();
    running.hooks.onAbort(hook);
  }

  /** The number of the running transaction, unique since opening; called inside a transaction. */
  public long serial() {
    requireWriter();
    return lock.turn;
  }

  /**
   * The number of nested levels that were rolled back since opening. It has counted a rollback
   * before the hooks of that rollback run. Called inside a transaction.
   */
  public long nestedRollbacks() {
    requireWriter();
    return running.nestedRollbacks();
  }

  /**
   * Commits the outermost level without waiting until it is durable.
   *
   * @return completes when the commit is durable, in the thread for completions
   */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  public CompletionStage<Void> endAsync() {
    Thread self = turns.beginEnd();
    List<Runnable> hooks;
    CompletableFuture<Void> done;
    long lsn;
    try {
      MappedFaults.arrive(); // a load that failed may have led to the stores
      hooks = running.hooks.commit();
      done = new CompletableFuture<>();
      lsn = commits.appendAndApply();
    } catch (Throwable t) {
      if (lock.writer == self) { // what failed and kept the lock is never ended
        if (lock.broken == null) {
          lock.broken = t;
        }
        lock.endsDue = 1;
        monitor.poison(t);
      }
      if (t instanceof InternalError fault) {
        throw faulted(fault);
      }
      throw t;
    }
    RemoteCopies remote = copies.get();
    log.whenDurable(lsn, failure -> durable(lsn, remote, failure, done, hooks));
    return done.minimalCompletionStage();
  }

  private void durable(
      long lsn,
      @Nullable RemoteCopies remote,
      @Nullable EverheapException failure,
      CompletableFuture<Void> done,
      List<Runnable> hooks) {
    if (failure == null && remote != null) {
      remote.whenCopied(lsn, missing -> completions.complete(done, hooks, missing));
    } else {
      completions.complete(done, failure == null ? hooks : Hooks.NONE, failure);
    }
  }

  /** Sets the only thread that may begin transactions on a replica. */
  public void setApplier(@Nullable Thread thread) {
    applier = thread;
  }

  /** Where a durable commit must be copied to before it returns; null for nowhere. */
  public AtomicReference<@Nullable RemoteCopies> copies() {
    return copies;
  }

  /** Ends the thread that completes asynchronous transactions, after the queued completions. */
  public void close() {
    completions.close();
  }

  /**
   * Runs {@code body}, which only reads, so that all its reads see one state; it may run again.
   *
   * @throws X the exception of the body
   */
  public <T extends @Nullable Object, X extends Exception> T read(Body<T, X> body) throws X {
    return views.read(body);
  }

  /** To be called before a read that loads more than a few words, such as that of an iterator. */
  public void beforeRead() {
    carriers.beforeRead();
  }

  /** To be called by each read after it validated; ends a view in which a commit intervened. */
  public void checkRead() {
    views.check();
  }

  /** Whether the calling thread runs a body of {@link #read}. */
  public boolean inView() {
    return views.inView();
  }

  /**
   * Runs a read under the writer lock, after it failed to validate. Its loads see the committed
   * state, or inside a transaction also the stores of that transaction.
   *
   * @throws EverheapException if the heap is closed or stopped
   * @throws LockTimeoutException if a transaction runs for too long
   */
  @SuppressWarnings("NullAway") // a body returns null only where its type says so
  public <T extends @Nullable Object, X extends Exception> T exclusively(Body<T, X> read) throws X {
    requireReadable();
    return turns.exclusively(read::run);
  }

  /**
   * Checks that the calling thread does not hold the writer lock, before it waits for something
   * that needs the lock.
   *
   * @param operation name of the caller's operation in the message
   * @throws IllegalStateException if it does
   */
  public void requireOutside(String operation) {
    turns.requireOutside(operation);
  }

  /**
   * Checks that the heap can be read.
   *
   * @throws EverheapException if it is closed or stopped
   */
  public void requireReadable() {
    if (gateShut) {
      monitor.checkReadable();
    }
  }

  /**
   * Poisons the heap if an error is a fault of mapped memory, such as a load from a page that its
   * file no longer has, and throws the exception of the poisoned heap.
   *
   * @return the error, if it is another one
   */
  public InternalError faulted(InternalError error) {
    if (MappedFaults.isFault(error)) {
      monitor.poison(error);
      requireReadable();
    }
    return error;
  }

  /**
   * Runs {@code action} while no transaction runs; waits without a timeout. The action must not
   * store through the write set.
   *
   * @throws EverheapException if the heap is poisoned
   */
  public void quiesced(Runnable action) {
    turns.quiesced(action);
  }

  /** Like {@link #quiesced}, but only spins for a short time; returns whether it ran the action. */
  public boolean tryQuiesced(Runnable action) {
    return turns.tryQuiesced(action);
  }

  /**
   * Waits until no transaction runs; in a broken heap only for a limited time, since the thread
   * that holds the lock may never release it.
   */
  public void settle() {
    turns.settle();
  }

  /** The number of commits that stored something. */
  public long commits() {
    return commits.commits();
  }

  /** The number of outermost transactions that were rolled back. */
  public long aborts() {
    return running.aborts();
  }

  /**
   * Checks that the calling thread is inside a transaction.
   *
   * @throws OutsideTransactionException if it is not
   */
  public void requireWriter() {
    if (!lock.isWriter()) {
      throw OutsideTransactionException.required();
    }
  }
}
