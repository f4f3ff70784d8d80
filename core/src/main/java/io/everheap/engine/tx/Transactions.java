package io.everheap.engine.tx;

import io.everheap.engine.event.CommitEvent;
import io.everheap.engine.event.Recording;
import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.TransactionRequiredException;
import io.everheap.error.TransactionTooLargeException;
import java.util.ArrayList;
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
  private static final List<Runnable> NO_HOOKS = List.of();

  /** Far below zero: an end is under way. */
  private static final int ENDING = Integer.MIN_VALUE;

  private final Home home;
  private final Log log;
  private final Stripes stripes;
  private final CommitMonitor monitor;
  private final long maxBytes;
  private final boolean syncByDefault;

  /** The lock; in public, since the {@code finally} around a transaction stores to it. */
  public final WriterLock lock;

  private final WriteSet writes;
  private final HeapMemory memory;
  private final CarrierShare carriers;
  private final ReadViews views;
  private final Completions completions = new Completions();
  private final RecordWriter recordWriter;
  private CommitParticipant participant = CommitParticipant.NONE;

  // While a collection runs; guarded by the lock.
  private @Nullable Snapshot snapshot;
  private @Nullable StoreBarrier barrier;

  private volatile boolean gateShut;

  // Of the running transaction; guarded by the lock.
  private int depth;
  private boolean sync;
  private Level[] levels = new Level[4];
  private List<Runnable> commitHooks = NO_HOOKS; // made by the first hook of a transaction
  private List<Runnable> abortHooks = NO_HOOKS;
  private long commits;
  private long aborts;

  /**
   * A read.
   *
   * @param <T> of what it returns
   * @param <X> what it throws
   */
  public interface Read<T extends @Nullable Object, X extends Exception> {
    /** Reads. */
    T run() throws X;
  }

  /**
   * The body of a transaction.
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

  /** Where a savepoint stands in everything that can be rolled back. */
  private record Level(WriteSet.Savepoint writes, int mark, int commitHooks, int abortHooks) {}

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
    this.maxBytes = maxBytes;
    this.lock = new WriterLock(lockTimeoutNanos);
    this.syncByDefault = syncByDefault;
    this.stripes = new Stripes();
    this.writes = new WriteSet(maxBytes);
    this.memory = new HeapMemory(home, lock, writes);
    this.carriers = new CarrierShare(lock, () -> log.durable() < log.appended());
    this.views = new ReadViews(stripes, lock, carriers, this::exclusively);
    this.recordWriter = new RecordWriter(home, log, writes);
  }

  /** Names who follows commits and rollbacks; once, before the first transaction. */
  public void setParticipant(CommitParticipant participant) {
    this.participant = participant;
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
      beginNested();
      return;
    }
    if (gateShut) {
      monitor.awaitGate();
    }
    acquire(self);
    // From here on nothing is called, so that nothing can fail between the lock and the owner.
    lock.writer = self;
    lock.turn++;
    depth = 1;
    sync = syncByDefault;
  }

  private void acquire(Thread self) {
    if (views.inView()) {
      throw new IllegalStateException("a write inside Heap.read: use Heap.transact instead");
    }
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      throw new IllegalStateException("a transaction cannot begin here: this thread reads");
    }
    take(self, false);
    while (gateShut) { // it may have been shut while this thread waited
      lock.owner = null;
      lock.wakeNext();
      monitor.awaitGate();
      take(self, false);
    }
  }

  /** Takes the lock and goes on with it, if the heap works; nothing is called when it has it. */
  private void take(Thread self, boolean patiently) {
    boolean taken = patiently ? lock.lock(self) : lock.acquire(self);
    Throwable cause = lock.broken;
    if (cause != null) {
      if (taken) {
        lock.owner = null;
      }
      throw broken(cause);
    }
  }

  /** Refuses to go on in a transaction that this thread could not end. */
  private void refuseIfLost(Thread self) {
    if (lock.isHeldBy(self) && (lock.endsDue > 0 || lock.broken != null)) {
      throw broken(giveUp());
    }
  }

  /** Poisons the heap if this thread began a transaction that it could not end. */
  public void breakIfLost() {
    if (lock.isHeldBy(Thread.currentThread()) && (lock.endsDue > 0 || lock.broken != null)) {
      monitor.poison(giveUp());
    }
  }

  /** Gives the lock of a lost transaction away; returns why the heap is broken. */
  private Throwable giveUp() {
    Throwable cause = lock.broken;
    if (cause == null) {
      cause = lock.lostEnd();
      lock.broken = cause;
    }
    lock.endsDue = 0;
    lock.writer = null;
    lock.owner = null;
    lock.wakeNext();
    return cause;
  }

  /** Poisons the heap, or goes on with it where an error stopped that. */
  private RuntimeException broken(Throwable cause) {
    monitor.poison(cause);
    return monitor.poisoned();
  }

  private void beginNested() {
    if (depth > levels.length) {
      levels = java.util.Arrays.copyOf(levels, levels.length * 2);
    }
    int mark = participant.mark();
    levels[depth - 1] =
        new Level(writes.savepoint(mark), mark, commitHooks.size(), abortHooks.size());
    depth++;
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
    Thread self = requireEnding();
    List<Runnable> hooks;
    long lsn = -1;
    try {
      if (depth > 1) {
        hooks = endNested(commit);
        lock.endsDue = 0;
      } else if (commit) {
        boolean durable = sync;
        hooks = commitHooks;
        long appended = appendAndApply();
        lsn = durable ? appended : -1;
      } else {
        hooks = abortHooks;
        rollBackAll();
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
      run(hooks);
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

  /** Says that an end is under way; fails if that of a level within was lost. */
  private Thread requireEnding() {
    Thread self = Thread.currentThread();
    if (!self.equals(lock.writer)) {
      Throwable cause = lock.broken; // found by a level within, which gave the lock away
      throw cause == null ? new TransactionRequiredException() : broken(cause);
    }
    if (lock.endsDue != 1 || lock.broken != null) {
      refuseIfLost(self);
    }
    lock.ends++;
    lock.endsDue = ENDING;
    return self;
  }

  /** Returns the hooks to run. */
  private List<Runnable> endNested(boolean commit) {
    Level level = levels[depth - 2];
    requireWhole(false);
    if (commit) {
      writes.release(level.writes);
      depth--;
      return NO_HOOKS;
    }
    List<Runnable> hooks = NO_HOOKS;
    if (abortHooks.size() > level.abortHooks) {
      hooks = List.copyOf(abortHooks.subList(level.abortHooks, abortHooks.size()));
    }
    rollBackTo(level);
    truncate(commitHooks, level.commitHooks);
    truncate(abortHooks, level.abortHooks);
    depth--;
    return hooks;
  }

  /**
   * Refuses to go on with what an error of the virtual machine cut in half.
   *
   * @param all whether the write set is about to be forgotten, so that it may be in any state
   */
  private void requireWhole(boolean all) {
    if (participant.isTorn() || (!all && writes.isTorn())) {
      Throwable cause =
          new IllegalStateException(
              "an error of the virtual machine, such as a StackOverflowError, ended a change of "
                  + (participant.isTorn() ? "the tables of free space" : "the write set"));
      lock.broken = cause;
      throw broken(cause);
    }
  }

  /** A rollback that fails half-way leaves summaries that would give live blocks away. */
  private void rollBackTo(Level level) {
    writes.rollbackTo(level.writes);
    participant.rollbackTo(level.mark);
    lock.rolledBack();
  }

  private void rollBackAll() {
    try {
      requireWhole(true);
      participant.rollbackTo(0);
      participant.reset();
      lock.rolledBack();
      aborts++;
    } catch (RuntimeException | Error e) {
      breakBy(e);
      throw e;
    } finally {
      finish();
    }
  }

  /** Poisons the heap; by a store first, since the call may fail. */
  private void breakBy(Throwable cause) {
    if (lock.broken == null) {
      lock.broken = cause;
    }
    monitor.poison(cause);
  }

  /** Clears what belongs to the transaction and gives the lock away; allocates nothing. */
  private void finish() {
    writes.clear();
    commitHooks = NO_HOOKS;
    abortHooks = NO_HOOKS;
    depth = 0;
    lock.freeing = false;
    lock.endsDue = 0;
    lock.writer = null;
    lock.owner = null;
    lock.wakeNext();
  }

  private long appendAndApply() {
    boolean empty;
    try {
      CommitParticipant p = participant;
      requireWhole(false);
      Snapshot kept = snapshot;
      if (kept != null) {
        p.freed(kept);
      }
      p.prepare();
      long bytes = recordWriter.measure(p);
      empty = bytes == 0;
      if (bytes > maxBytes) {
        throw new TransactionTooLargeException(bytes, maxBytes);
      }
      if (!empty) {
        log.reserve(bytes);
        if (kept != null) {
          kept.save(writes);
        }
      }
    } catch (Throwable t) {
      abort(t);
      throw t;
    }
    long lsn;
    try {
      // What an empty transaction saw may not be durable yet: its caller waits for it as well.
      lsn = empty ? commitNothing() : writeRecord();
    } catch (Throwable t) {
      breakBy(t);
      throw t;
    } finally {
      finish();
    }
    return lsn;
  }

  /** Rolls back what could not be committed; the failure of a hook goes with its cause. */
  private void abort(Throwable cause) {
    List<Runnable> hooks = abortHooks;
    rollBackAll();
    try {
      run(hooks);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
  }

  private long commitNothing() {
    participant.reset();
    return log.appended();
  }

  private long writeRecord() {
    CommitEvent event = Recording.isOn() ? new CommitEvent() : null;
    if (event != null) {
      event.begin();
    }
    CommitParticipant p = participant;
    long lsn = recordWriter.write();
    apply();
    p.applied();
    p.reset();
    commits++;
    monitor.committed(lsn);
    if (event != null && event.shouldCommit()) {
      event.lsn = lsn;
      event.bytes = recordWriter.size();
      event.commit();
    }
    return lsn;
  }

  /** Stores the write set home. Fills first: the record has them first. */
  private void apply() {
    WriteSet w = writes;
    lock.beforeApply();
    stripes.open(w.stripes(), w.stripeCount());
    for (int i = 0; i < w.fillCount(); i++) {
      long address = w.fillAddress(i);
      for (int n = 0; n < w.fillTimes(i); n++, address += w.fillStride(i)) {
        home.putLong(address, w.fillValue(i));
        home.markDirty(address, 8);
      }
    }
    recordWriter.markFresh();
    w.storeTo(home);
    stripes.close(w.stripes(), w.stripeCount());
    lock.afterApply();
  }

  /**
   * Keeps the committed state as it is now for a reader; in a transaction that stored nothing.
   *
   * @param budget the most bytes of memory that this takes
   */
  public Snapshot snapshot(long budget) {
    requireWriter();
    snapshot = new Snapshot(home, budget);
    return snapshot;
  }

  /** Whether there is a snapshot; inside a transaction. */
  public boolean hasSnapshot() {
    requireWriter();
    return snapshot != null;
  }

  /** Has the snapshot forgotten; with no transaction running, or in one. */
  public void dropSnapshot() {
    snapshot = null;
  }

  /** Has a barrier follow references, or none; with no transaction running, or in one. */
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
    sync = depth == 1 ? wanted : sync || wanted;
  }

  /** How many levels the running transaction has, the outermost included; only inside one. */
  public int depth() {
    requireWriter();
    return depth;
  }

  /** Runs {@code hook} after the outermost commit, without the lock; dropped by a rollback. */
  public void onCommit(Runnable hook) {
    requireWriter();
    if (commitHooks.isEmpty()) {
      commitHooks = new ArrayList<>();
    }
    commitHooks.add(hook);
  }

  /** Runs {@code hook} after the level that it was registered in was rolled back. */
  public void onAbort(Runnable hook) {
    requireWriter();
    if (abortHooks.isEmpty()) {
      abortHooks = new ArrayList<>();
    }
    abortHooks.add(hook);
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
    Thread self = requireEnding();
    long lsn;
    List<Runnable> hooks = commitHooks;
    CompletableFuture<Void> done;
    try {
      done = new CompletableFuture<>();
      lsn = appendAndApply();
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
    log.whenDurable(lsn, failure -> completions.run(() -> complete(done, hooks, failure)));
    return done.minimalCompletionStage();
  }

  private static void complete(
      CompletableFuture<Void> done, List<Runnable> hooks, @Nullable EverheapException failure) {
    if (failure != null) {
      done.completeExceptionally(failure);
      return;
    }
    try {
      run(hooks);
      done.complete(null);
    } catch (RuntimeException | Error e) {
      done.completeExceptionally(e);
    }
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
  public <T extends @Nullable Object, X extends Exception> T exclusively(Read<T, X> read) throws X {
    requireReadable();
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      return read.run();
    }
    take(self, false);
    try {
      return read.run();
    } finally {
      lock.owner = null;
      lock.wakeNext();
    }
  }

  /**
   * Checks that the calling thread neither runs a transaction nor reads exclusively, before it
   * waits for something that needs the writer lock.
   *
   * @throws IllegalStateException if it does
   */
  public void requireOutside(String operation) {
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      throw new IllegalStateException(operation + " inside a transaction or a read");
    }
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
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      action.run();
      return;
    }
    take(self, true);
    try {
      action.run();
    } finally {
      lock.owner = null;
      lock.wakeNext();
    }
  }

  /** The same, unless a transaction runs on; says whether it ran the action. */
  public boolean tryQuiesced(Runnable action) {
    Thread self = Thread.currentThread();
    if (lock.isHeldBy(self)) {
      refuseIfLost(self);
      action.run();
      return true;
    }
    if (!lock.lookForIt(self)) {
      return false;
    }
    Throwable cause = lock.broken;
    if (cause != null) {
      lock.owner = null;
      throw broken(cause);
    }
    try {
      action.run();
    } finally {
      lock.owner = null;
      lock.wakeNext();
    }
    return true;
  }

  /**
   * Waits until no transaction is under way; in a heap that is broken only for a while, since its
   * holder may be lost.
   */
  public void settle() {
    Thread self = Thread.currentThread();
    if (lock.broken == null && lock.lock(self)) {
      lock.owner = null;
      lock.wakeNext();
    } else {
      lock.awaitFree();
    }
  }

  /** Commits so far that stored something. */
  public long commits() {
    return commits;
  }

  /** Outermost transactions rolled back so far. */
  public long aborts() {
    return aborts;
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

  private static void truncate(List<Runnable> hooks, int size) {
    while (hooks.size() > size) {
      hooks.remove(hooks.size() - 1);
    }
  }

  /** Runs all hooks; the first failure is thrown after the last one ran. */
  private static void run(List<Runnable> hooks) {
    Throwable failure = null;
    for (Runnable hook : hooks) {
      try {
        hook.run();
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }
}
