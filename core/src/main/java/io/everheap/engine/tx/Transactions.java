package io.everheap.engine.tx;

import io.everheap.engine.event.CommitEvent;
import io.everheap.engine.event.Recording;
import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.TransactionRequiredException;
import io.everheap.error.TransactionTooLargeException;
import io.everheap.memory.Region;
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
 * <p>Use: {@code begin(); boolean ok = false; try { ...; ok = true; } finally { end(ok); }}
 */
public final class Transactions {
  private final Home home;
  private final Log log;
  private final Stripes stripes;
  private final CommitMonitor monitor;
  private final long maxBytes;
  private final boolean syncByDefault;

  private final WriterLock lock;
  private final WriteSet writes;
  private final HeapMemory memory;
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
  private long serial;
  private boolean sync;
  private Level[] levels = new Level[4];
  private final List<Runnable> commitHooks = new ArrayList<>();
  private final List<Runnable> abortHooks = new ArrayList<>();
  private long commits;
  private long aborts;

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
    this.views = new ReadViews(stripes, lock);
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

  /** The lock, for readers of single words. */
  public WriterLock lock() {
    return lock;
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
   * Takes the writer lock, or, inside a transaction, sets a savepoint. An interrupt does not end
   * the wait and is kept.
   *
   * @throws LockTimeoutException when another transaction runs for too long
   */
  public void begin() {
    if (lock.isWriter()) {
      beginNested();
      return;
    }
    if (gateShut) {
      monitor.awaitGate();
    }
    acquire();
    lock.writer = Thread.currentThread();
    depth = 1;
    serial++;
    sync = syncByDefault;
  }

  private void acquire() {
    if (views.inView()) {
      throw new IllegalStateException("a write inside Heap.read: use Heap.transact instead");
    }
    if (lock.heldByCurrentThread()) {
      throw new IllegalStateException("a transaction cannot begin here: this thread reads");
    }
    lock.acquire();
    while (gateShut) { // it may have been shut while this thread waited
      lock.unlock();
      monitor.awaitGate();
      lock.acquire();
    }
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
  public void end(boolean commit) {
    requireWriter();
    if (depth > 1) {
      endNested(commit);
    } else if (commit) {
      commit();
    } else {
      abort();
    }
  }

  private void endNested(boolean commit) {
    Level level = levels[--depth - 1];
    if (commit) {
      writes.release(level.writes);
      return;
    }
    rollBackTo(level);
    truncate(commitHooks, level.commitHooks);
    List<Runnable> hooks = new ArrayList<>(abortHooks.subList(level.abortHooks, abortHooks.size()));
    truncate(abortHooks, level.abortHooks);
    run(hooks);
  }

  /** A rollback that fails half-way leaves summaries that would give live blocks away. */
  private void rollBackTo(Level level) {
    try {
      writes.rollbackTo(level.writes);
      participant.rollbackTo(level.mark);
      lock.rolledBack();
    } catch (RuntimeException | Error e) {
      monitor.poison(e);
      throw e;
    }
  }

  private void abort() {
    List<Runnable> hooks = List.of();
    try {
      hooks = List.copyOf(abortHooks);
    } finally {
      rollBackAll();
    }
    run(hooks);
  }

  private void rollBackAll() {
    try {
      participant.rollbackTo(0);
      participant.reset();
      lock.rolledBack();
      aborts++;
    } catch (RuntimeException | Error e) {
      monitor.poison(e);
      throw e;
    } finally {
      finish();
    }
  }

  /** Clears what belongs to the transaction and gives the lock away. */
  private void finish() {
    writes.clear();
    if (!commitHooks.isEmpty()) {
      commitHooks.clear();
    }
    if (!abortHooks.isEmpty()) {
      abortHooks.clear();
    }
    depth = 0;
    lock.ended();
    lock.writer = null;
    lock.unlock();
  }

  private void commit() {
    boolean durable = sync;
    List<Runnable> hooks = commitHooks.isEmpty() ? List.of() : List.copyOf(commitHooks);
    long lsn = appendAndApply();
    if (durable) {
      log.awaitDurable(lsn);
    }
    if (!hooks.isEmpty()) {
      run(hooks);
    }
  }

  private long appendAndApply() {
    boolean empty;
    try {
      CommitParticipant p = participant;
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
      abort();
      throw t;
    }
    long lsn;
    try {
      // What an empty transaction saw may not be durable yet: its caller waits for it as well.
      lsn = empty ? commitNothing() : writeRecord();
    } catch (Throwable t) {
      monitor.poison(t);
      throw t;
    } finally {
      finish();
    }
    return lsn;
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
    for (int i = 0; i < w.lineCount(); i++) {
      int mask = w.mask(i);
      if (mask != 0) {
        long address = w.lineAddress(i);
        Region region = home.mapped(address);
        long offset = home.offset(address);
        for (int rest = mask; rest != 0; rest &= rest - 1) {
          int word = Integer.numberOfTrailingZeros(rest);
          region.putLong(offset + word * 8L, w.word((i << 3) + word));
        }
        home.markDirty(address, 8);
      }
    }
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
    commitHooks.add(hook);
  }

  /** Runs {@code hook} after the level that it was registered in was rolled back. */
  public void onAbort(Runnable hook) {
    requireWriter();
    abortHooks.add(hook);
  }

  /** A number that no other transaction of this heap has; only inside one. */
  public long serial() {
    requireWriter();
    return serial;
  }

  /**
   * Commits the outermost level without waiting.
   *
   * @return completes when the commit is durable, in a thread of its own
   */
  public CompletionStage<Void> endAsync() {
    requireWriter();
    if (depth != 1) {
      throw new IllegalStateException("inside another transaction");
    }
    List<Runnable> hooks = List.copyOf(commitHooks);
    long lsn = appendAndApply();
    CompletableFuture<Void> done = new CompletableFuture<>();
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

  /** To be called by each read after it validated; ends a view whose snapshot is gone. */
  public void checkRead() {
    views.check();
  }

  /** Whether the calling thread runs a body of {@link #read}. */
  public boolean inView() {
    return views.inView();
  }

  /**
   * Takes the writer lock for a read that could not validate; loads see the committed state.
   *
   * @throws EverheapException when the heap is closed or poisoned
   * @throws LockTimeoutException when a transaction runs for too long
   */
  public void beginExclusiveRead() {
    requireReadable();
    lock.acquire();
  }

  /** Ends {@link #beginExclusiveRead}. */
  public void endExclusiveRead() {
    lock.unlock();
  }

  /**
   * Checks that the calling thread neither runs a transaction nor reads exclusively, before it
   * waits for something that needs the writer lock.
   *
   * @throws IllegalStateException if it does
   */
  public void requireOutside(String operation) {
    if (lock.heldByCurrentThread()) {
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

  /** Runs {@code action} with no transaction running; it does not store through the write set. */
  public void quiesced(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
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
    RuntimeException failure = null;
    for (Runnable hook : hooks) {
      try {
        hook.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
