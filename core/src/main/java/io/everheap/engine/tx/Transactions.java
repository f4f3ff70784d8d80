package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.TransactionRequiredException;
import io.everheap.error.TransactionTooLargeException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
 * <p>Use: {@link #call} and {@link #run}. Where their lambda would be allocated too often: {@code
 * begin(); boolean ok = false; try { ...; ok = true; } finally { lock.endsDue++; end(ok); }}
 *
 * <h2>Errors of the virtual machine</h2>
 *
 * After a StackOverflowError or an OutOfMemoryError the heap either works, with the transaction
 * rolled back, or it is poisoned. An error in a body is rolled back like an exception, unless it
 * cut a change of what is kept beside the home image in half ({@link WriteSet#isTorn}, {@link
 * CommitParticipant#isTorn}). An error in {@link #end} that leaves the lock taken is stored to
 * {@link WriterLock#broken}, which takes no call. An error in the call of {@code end} leaves {@link
 * WriterLock#endsDue} above zero, which the store before that call is for: from then on the thread
 * counts as outside of the transaction, so what it reads is the committed state, and the next
 * thread that wants to begin poisons the heap.
 */
public final class Transactions {
  private final Home home;
  private final Log log;
  private final Stripes stripes;
  private final CommitMonitor monitor;
  private final boolean syncByDefault;

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

  /**
   * The body of a transaction, or of a read.
   *
   * @param <T> of what it returns
   * @param <X> what it throws
   */
  @FunctionalInterface
  public interface Body<T extends @Nullable Object, X extends Exception> {
    /** Loads and stores. */
    @Nullable T run() throws X;
  }

  /**
   * The body of a transaction that has no result.
   *
   * @param <X> what it throws
   */
  @FunctionalInterface
  public interface Action<X extends Exception> {
    /** Loads and stores. */
    void run() throws X;
  }

  /**
   * Transactions over a home image and a log.
   *
   * @param maxBytes the most log bytes that one transaction may take
   * @param lockTimeoutNanos how long a writer waits for its turn
   * @param syncByDefault whether a commit waits until it is durable
   */
  public Transactions(
      Home home,
      Log log,
      CommitMonitor monitor,
      long maxBytes,
      long lockTimeoutNanos,
      boolean syncByDefault) {
    this.home = home;
    this.log = log;
    this.monitor = monitor;
    this.lock = new WriterLock(lockTimeoutNanos);
    this.syncByDefault = syncByDefault;
    this.stripes = new Stripes();
    WriteSet writes = new WriteSet(maxBytes);
    this.memory = new HeapMemory(home, lock, writes);
    this.carriers = new CarrierShare(lock, () -> log.durable() < log.appended());
    this.views = new ReadViews(stripes, lock, carriers, this::exclusively);
    this.turns = new Turns(lock, monitor);
    this.running = new Running(writes, lock, turns);
    this.commits = new Commits(home, log, stripes, lock, turns, monitor, running, maxBytes);
  }

  /** Sets what follows commits and rollbacks; once, before the first transaction. */
  public void setParticipant(CommitParticipant participant) {
    running.participant = participant;
  }

  /** The home bytes as the calling thread may see them. */
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

  /** Shuts or opens the gate before outermost transactions; see {@link CommitMonitor#awaitGate}. */
  public void shutGate(boolean shut) {
    gateShut = shut;
  }

  /**
   * Runs a body as a transaction, or as a level of the one that runs. If it throws, its stores are
   * undone and the exception passes; a failure of that is suppressed.
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

  /** The same without a result. */
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
   * Takes the writer lock, or, inside a transaction, sets a savepoint. An interrupt does not end
   * the wait and is kept.
   *
   * @throws LockTimeoutException when another transaction runs for too long
   */
  public void begin() {
    Thread self = Thread.currentThread();
    if (lock.isWriter()) {
      running.beginNested();
      return;
    }
    if (gateShut) {
      monitor.awaitGate();
    }
    acquire(self);
    // From here on nothing is called, so that nothing can fail between the lock and the owner.
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
   * synchronous; when it throws before anything was appended, it has been rolled back.
   *
   * @param commit whether to keep what the level stored
   * @throws TransactionTooLargeException and it was rolled back
   * @throws io.everheap.error.DiskFullException when the log cannot take it; it was rolled back
   * @throws io.everheap.error.PoisonedException when its outcome is unknown
   */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  public void end(boolean commit) {
    Thread self = turns.beginEnd();
    List<Runnable> hooks;
    long lsn = -1;
    try {
      if (running.depth > 1) {
        hooks = running.endNested(commit);
        lock.endsDue = 0;
      } else if (commit) {
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
      throw t;
    }
    if (lsn >= 0) {
      log.awaitDurable(lsn);
    }
    if (!hooks.isEmpty()) {
      Hooks.run(hooks);
    }
  }

  /**
   * Ends the innermost level without its stores, because of an exception that goes on; a failure of
   * that goes with it. If the exception is the loss of a mapped page, what ended the heap is
   * thrown.
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
      var _ = faulted(fault); // the caller throws it
    }
  }

  /**
   * Keeps the committed state as it is now for a reader; in a transaction that stored nothing.
   *
   * @param budget the most bytes of memory that this takes
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

  /** Forgets the snapshot; with no transaction running, or in one. */
  public void dropSnapshot() {
    commits.snapshot = null;
  }

  /** Lets a barrier follow references, or none; with no transaction running, or in one. */
  public void follow(@Nullable StoreBarrier follower) {
    barrier = follower;
  }

  /**
   * To be called before a reference to an object or a structure that exists is stored, in the
   * transaction that stores it. Does nothing outside of one: then nothing is stored.
   *
   * @throws io.everheap.error.StaleReferenceException if it is as good as freed
   */
  public void storing(long reference) {
    StoreBarrier b = barrier;
    if (b != null && lock.isWriter()) {
      b.stored(reference);
    }
  }

  /**
   * Says whether the running transaction, as a whole, must be durable when it returns. Asked for by
   * several levels, the stronger wish wins.
   */
  public void wantSync(boolean wanted) {
    requireWriter();
    running.sync = running.depth == 1 ? wanted : running.sync || wanted;
  }

  /** How many levels the running transaction has, the outermost included; only inside one. */
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

  /** A number that no other transaction of this heap has; only inside one. */
  public long serial() {
    requireWriter();
    return lock.turn;
  }

  /**
   * Commits the outermost level without waiting.
   *
   * @return completes when the commit is durable, in a thread of its own
   */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  public CompletionStage<Void> endAsync() {
    Thread self = turns.beginEnd();
    long lsn;
    List<Runnable> hooks = running.hooks.commit();
    CompletableFuture<Void> done;
    try {
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
      throw t;
    }
    log.whenDurable(lsn, failure -> completions.complete(done, hooks, failure));
    return done.minimalCompletionStage();
  }

  /** Lets the thread that completes asynchronous transactions end. */
  public void close() {
    completions.close();
  }

  /**
   * Runs {@code body}, which only reads, so that all its reads see one state; it may run again.
   *
   * @throws Exception what the body throws
   */
  public <T extends @Nullable Object> T read(Callable<T> body) throws Exception {
    return views.read(body);
  }

  /** To be called before a read that loads more than a few words, for instance of an iterator. */
  public void beforeRead() {
    carriers.beforeRead();
  }

  /** To be called by each read after it validated; ends a view whose snapshot is gone. */
  public void checkRead() {
    views.check();
  }

  /** Whether the calling thread runs a body of {@link #read}. */
  public boolean inView() {
    return views.inView();
  }

  /**
   * Runs a read that could not validate, with no transaction of another thread under way; its loads
   * see the committed state, or inside a transaction what that stored.
   *
   * @throws EverheapException when the heap is closed or poisoned
   * @throws LockTimeoutException when a transaction runs for too long
   */
  @SuppressWarnings("NullAway") // a body returns null only where its type says so
  public <T extends @Nullable Object, X extends Exception> T exclusively(Body<T, X> read) throws X {
    requireReadable();
    return turns.exclusively(read::run);
  }

  /**
   * Checks that the calling thread neither runs a transaction nor reads exclusively, before it
   * waits for something that needs the writer lock.
   *
   * @throws IllegalStateException if it does
   */
  public void requireOutside(String operation) {
    turns.requireOutside(operation);
  }

  /**
   * Checks that the heap can be read.
   *
   * @throws EverheapException when it is closed or poisoned
   */
  public void requireReadable() {
    if (gateShut) {
      monitor.checkReadable();
    }
  }

  /**
   * Ends the heap after a load that met a page which its file does not have any more.
   *
   * @return the error, if it was something else; otherwise this throws what ended the heap
   */
  public InternalError faulted(InternalError error) {
    if (String.valueOf(error.getMessage()).contains("unsafe memory access")) {
      monitor.poison(error);
      requireReadable();
    }
    return error;
  }

  /**
   * Runs {@code action} with no transaction running, however long it has to wait for that; it does
   * not store through the write set.
   *
   * @throws EverheapException when the heap is poisoned
   */
  public void quiesced(Runnable action) {
    turns.quiesced(action);
  }

  /** The same, unless a transaction runs on; says whether it ran the action. */
  public boolean tryQuiesced(Runnable action) {
    return turns.tryQuiesced(action);
  }

  /**
   * Waits until no transaction is under way; in a heap that is broken only for a while, since its
   * holder may be lost.
   */
  public void settle() {
    turns.settle();
  }

  /** Commits so far that stored something. */
  public long commits() {
    return commits.commits();
  }

  /** Outermost transactions rolled back so far. */
  public long aborts() {
    return running.aborts();
  }

  /**
   * Checks that the calling thread is inside a transaction.
   *
   * @throws TransactionRequiredException if it is not
   */
  public void requireWriter() {
    if (!lock.isWriter()) {
      throw new TransactionRequiredException();
    }
  }
}
