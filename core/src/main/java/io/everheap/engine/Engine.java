package io.everheap.engine;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.PageState;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogArchiver;
import io.everheap.engine.tx.CommitMonitor;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.ReadOnlyException;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import io.everheap.memory.Threads;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One open heap: the state that recovery built, the transactions on it, and the threads that run
 * checkpoints and background tasks. The layers above load and store through {@link #memory}, inside
 * {@link #transactions}, in blocks of {@link #allocator}.
 *
 * <p>Thread-safe, as far as its parts are: {@link #memory} and {@link #allocator} state which calls
 * need a transaction.
 */
public final class Engine implements AutoCloseable, HeapContext.Services {
  /** Period at which a thread that waits for the end of another close checks again. */
  private static final long CLOSING_POLL_MILLIS = 10;

  private final Signals signals = new Signals(this::isWriting);
  private final Medium medium;
  private final EngineOptions options;
  private final Home home;
  private final @Nullable CheckedPages checked;
  private final ChangedPages changes;
  private final SuperblockStore superblocks;
  private final Log log;
  private final Transactions transactions;
  private final HeapMemory memory;
  private final WriterLock lock;
  private final Gate gate;
  private volatile @Nullable Supplier<? extends RuntimeException> refusal;
  private final HeapState state;
  private final HomeSize size;
  private final Allocator allocator;
  private final Checkpointer checkpointer;
  private final CheckpointSchedule schedule;
  private final Housekeeper housekeeper;
  private final Regions regions;
  private final MemoryShare share;
  private final RecoveryReport recovery;
  private final RecoveryNotice notice;
  private final HeapContext context;
  private final HeapCopies copies;
  private final EngineWatch watch;
  private final Object closing = new Object();
  private boolean closed; // guarded by closing
  private volatile @Nullable Thread closer; // the thread that closes; null if none does
  private volatile boolean drained; // the last transaction ended and the final checkpoint was tried
  private volatile boolean released;

  /** Creates the engine of a recovered heap; if this fails, the caller closes the recovery. */
  Engine(Medium medium, EngineOptions options, Recovery found) {
    this.medium = medium;
    this.options = options;
    this.home = found.home();
    this.checked = found.checked();
    this.changes = found.changes();
    this.superblocks = found.superblocks();
    this.log = found.log();
    this.share = found.memory();
    this.recovery = found.report();
    this.notice = new RecoveryNotice(medium.location(), recovery);
    this.transactions =
        new Transactions(
            home,
            log,
            new Monitor(),
            options.maxTransaction(),
            options.lockTimeoutNanos(),
            options.sync(),
            options.replica());
    this.memory = transactions.memory();
    this.lock = transactions.lock;
    this.gate = new Gate(transactions::shutGate);
    this.state = new HeapState(medium, home, superblocks, log, lock, gate, signals);
    this.size =
        new HomeSize(
            home,
            checked,
            changes,
            superblocks,
            transactions,
            state,
            options.maxCapacity(),
            found.allocated());
    this.allocator = blocksOf(memory);
    transactions.setParticipant(allocator.participant());
    this.checkpointer =
        new Checkpointer(
            medium, home, checked, changes, log, transactions, superblocks, recovery.epoch());
    this.schedule =
        new CheckpointSchedule(
            medium.location(),
            checked,
            size::allocated,
            log,
            transactions,
            gate,
            state,
            checkpointer,
            new Pressure(
                found.memory(), medium, home, log, superblock().ringSize(), size::allocated),
            found.begun(),
            options.automatic());
    this.housekeeper = new Housekeeper(options.automatic());
    this.regions = new Regions(medium, state, superblock().uuid());
    this.context = new HeapContext(this, memory, allocator, transactions, signals);
    superblocks.onFailure(state::fail);
    log.onFailure(state::fail);
    log.onFull(schedule::diskIsFull);
    this.copies = // before a checkpoint recycles what older epochs left
        new HeapCopies(medium, options, found, checkpointer, transactions, state, size::allocated);
    EngineWatch watching = null;
    try {
      if (medium.readOnly()) {
        gate.refuse(false, this::readOnly);
        if (options.automatic()) {
          Threads.start(Threads.daemon("everheap-redo", this::redo));
        }
      } else {
        schedule.start();
      }
      home.clear().onGrowth(schedule::loaded);
      watching = new EngineWatch(this, state, superblocks, size, gate, schedule::tend);
      copies.begin();
      if (options.automatic()) {
        notice.begin();
      } else {
        notice.tell();
      }
    } catch (RuntimeException | Error e) {
      if (watching != null) {
        Closing.after(e, watching::close);
      }
      Closing.after(e, schedule::stop);
      Closing.after(e, copies::endArchive);
      throw e;
    }
    this.watch = watching;
  }

  /** The archiver of the log, or null. */
  public @Nullable LogArchiver archiver() {
    return copies.archiver();
  }

  /** Applies the log to all pages of a heap that is open for reading only: it has no checkpoint. */
  private void redo() {
    try {
      checkpointer.exclusively(() -> {});
    } catch (RuntimeException | Error _) {
      // The heap was closed, or a page cannot be read: then the load that needs it throws.
    }
  }

  private boolean isWriting() {
    return lock.isHeld();
  }

  /** The context of everything that is stored in the heap. */
  public HeapContext context() {
    return context;
  }

  /**
   * Opens the heap on a medium; creates it if there is none. On return reads are served, and what
   * they see is durable; the first transaction may have to wait for a checkpoint. Closing the
   * engine closes the medium; if this method throws, the medium stays open.
   */
  public static Engine open(Medium medium, EngineOptions options) {
    return open(medium, options, found -> {});
  }

  /**
   * Like {@link #open(Medium, EngineOptions)}, unless what was found is refused.
   *
   * @param check called before anything is changed; throws to refuse the heap
   */
  public static Engine open(Medium medium, EngineOptions options, Consumer<FoundHeap> check) {
    Recovery recovery = Recovery.run(medium, options, check);
    try { // no call before it, at which an error of the virtual machine could strike
      return new Engine(medium, options, recovery);
    } catch (RuntimeException | Error e) {
      recovery.close();
      throw e;
    }
  }

  /**
   * Checks that there is a heap on a medium.
   *
   * @throws io.everheap.error.MissingException if there is none
   */
  public static void requireHeap(Medium medium) {
    HeapFiles.requireHome(medium);
  }

  private ReadOnlyException readOnly() {
    return ReadOnlyException.heap(
        "The heap at " + location() + " was opened read-only; open it for writing to change it.");
  }

  /** Loads and stores of the home image. */
  public HeapMemory memory() {
    return memory;
  }

  /** The transactions of this heap. */
  public Transactions transactions() {
    return transactions;
  }

  /** The blocks of this heap. */
  public Allocator allocator() {
    return allocator;
  }

  /**
   * An allocator that reads its tables through the given view of the memory: for statistics of a
   * thread that does not hold the writer lock, and for readers of a snapshot.
   */
  @Override
  public Allocator blocksOf(HeapMemory view) {
    return new Allocator(view, home.extentShift(), size);
  }

  @Override
  public void housekeeping(Runnable task) {
    if (!medium.readOnly() && !options.replica()) {
      housekeeper.submit(task);
    }
  }

  /** Waits until background tasks are done. */
  public void drainHousekeeping() {
    housekeeper.drain();
  }

  @Override
  public boolean isNearlyFull() {
    return size.isNearlyFull() && allocator.freeBytes() < size.allocated() / 2;
  }

  @Override
  public boolean stopping() {
    return housekeeper.stopping();
  }

  @Override
  public void sync() {
    state.requireUsable();
    log.awaitDurable(log.appended());
  }

  /** Runs a checkpoint now. */
  public void checkpoint() {
    transactions.requireOutside("checkpoint");
    state.requireWritable();
    schedule.checkpoint();
  }

  /** The damage in the superblocks, as far as they can be checked while the heap is open. */
  public List<FileCheck.Finding> superblocks() {
    return medium.readOnly()
        ? FileCheck.superblocks(medium, home.file())
        : FileCheck.newestSuperblock(home.file(), superblock().address());
  }

  /**
   * Reads the home file and reports every page that does not match its checksum, while transactions
   * go on. On a byte-addressable medium pages have no checksums.
   *
   * @param findings called in this thread; must not use the heap
   */
  public void scrub(Consumer<PageDamage> findings) {
    transactions.requireOutside("scrub");
    state.requireUsable();
    try {
      new Scrub(home, checked, checkpointer).run(findings);
    } catch (IllegalStateException e) {
      state.requireUsable(); // throws if the heap was closed meanwhile
      throw e;
    }
  }

  /**
   * Gives whole chunks at the end of the home image that hold no block back to the file system.
   *
   * @return bytes given back
   */
  public long shrink() {
    transactions.requireOutside("shrink");
    state.requireWritable();
    return new Shrink(home, allocator, transactions, checkpointer, size, changes).run();
  }

  /** Repeats a primary's transactions on this heap, which was opened as a replica. */
  public ReplicaApplier applier() {
    return new ReplicaApplier(
        location(), transactions, size, allocator.follower(), signals, options.maxTransaction());
  }

  /** Refuses every transaction from now on, each with a new exception. */
  public void refuseTransactions(Supplier<? extends RuntimeException> why) {
    gate.refuse(false, why);
    refusal = why; // behind it: what is known to be refused is refused
  }

  /**
   * A new exception of the last {@link #refuseTransactions}, although something else, such as
   * damage, may be what transactions are told; null if that was not called.
   */
  public @Nullable RuntimeException refusal() {
    Supplier<? extends RuntimeException> why = refusal;
    return why == null ? null : why.get();
  }

  /** The files of bytes outside of all transactions. */
  public Regions regions() {
    return regions;
  }

  /**
   * Begins a backup, also of a heap that is open for reading only; the caller closes it.
   *
   * @param backup its uuid
   * @throws IllegalStateException if the heap is in memory only, or another one is being made
   */
  public BackupSource beginBackup(UUID backup) {
    transactions.requireOutside("backup");
    if (medium.readOnly()) {
      state.requireUsable();
    } else {
      state.requireWritable();
    }
    return copies.backup(backup);
  }

  @Override
  public String location() {
    return medium.location();
  }

  /** The medium under the heap. */
  public Medium medium() {
    return medium;
  }

  /** The newest superblock. */
  public Superblock superblock() {
    return superblocks.current();
  }

  /** The version of the encrypted files; 0 if the heap is not encrypted. */
  public int encryptionVersion() {
    int encrypted = medium.hasKeyedPages() ? 2 : 1;
    return medium.encrypted() ? encrypted : 0;
  }

  /** The state of all pages as of the last checkpoint; null if it has no digest. */
  public @Nullable PageState pages() {
    return checked == null ? null : checked.state();
  }

  /** The log. */
  public Log log() {
    return log;
  }

  /** The home image. */
  public Home home() {
    return home;
  }

  @Override
  public EngineOptions options() {
    return options;
  }

  @Override
  public UUID uuid() {
    return superblock().uuid();
  }

  @Override
  public int extentShift() {
    return home.extentShift();
  }

  @Override
  public long epoch() {
    return recovery.epoch();
  }

  /** The result of opening the heap. */
  public RecoveryReport recovery() {
    return recovery;
  }

  /** Checkpoints completed since the heap was opened. */
  public long checkpoints() {
    return checkpointer.checkpoints();
  }

  /** The number of times that the home image has grown since the heap was opened. */
  public long growths() {
    return size.growths();
  }

  /**
   * A new exception of why transactions that write are refused: the heap is closed, poisoned,
   * fenced or read-only; null if they are not.
   */
  public @Nullable RuntimeException writeRefusal() {
    state.completePoisoning();
    return gate.refusal();
  }

  /** Whether the heap can be read: it is neither closed nor poisoned. */
  public boolean isOpen() {
    if (state.isPoisoned()) {
      state.completePoisoning(); // so that every later call fails as well
      return false;
    }
    synchronized (closing) {
      return !closed;
    }
  }

  @Override
  public void close() {
    transactions.breakIfLost();
    transactions.requireOutside("close");
    if (beginClosing(Thread.currentThread())) {
      try {
        end();
      } finally {
        closer = null;
      }
    }
  }

  /**
   * Waits while another thread closes, by polling: so no error of the virtual machine can lose a
   * wake-up. An interrupt does not end the wait and is kept.
   *
   * @return false if nothing is left to do, or if this thread closes already
   */
  private boolean beginClosing(Thread self) {
    boolean interrupted = false;
    synchronized (closing) {
      while (closer != null && !self.equals(closer) && !released) {
        try {
          closing.wait(CLOSING_POLL_MILLIS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        self.interrupt(); // before the stores: a call that fails after them would leave a closer
      }
      if (released || closer != null) {
        return false;
      }
      closed = true;
      closer = self;
      return true;
    }
  }

  /** Ends everything; continues an earlier close that an error of the virtual machine ended. */
  private void end() {
    watch.close();
    housekeeper.stop();
    notice.tell();
    schedule.stop();
    state.completePoisoning();
    boolean writable = !gate.refuses();
    gate.refuse(true, () -> ClosedException.heap(location()));
    signals.end();
    boolean complete = false;
    if (!drained) {
      transactions.settle(); // waits for the running transaction; the gate refuses others
      try {
        if (!state.isPoisoned()) {
          log.awaitDurable(log.appended()); // even if the gate refused transactions already
        }
        if (writable && !state.isPoisoned()) {
          checkpointer.checkpoint(true);
          superblocks.repeat(); // either superblock suffices, without the log that is trimmed next
          complete = true;
          copies.endArchive();
          log.trim();
        }
      } finally {
        drained = true;
        release(complete);
      }
    } else {
      release(complete);
    }
  }

  /**
   * Releases everything. An error of the virtual machine leaves the medium open, and so its files
   * locked, since a thread of the log may still write.
   *
   * @param complete whether the final checkpoint is durable; only then may the file be truncated
   */
  private void release(boolean complete) {
    RuntimeException failure = null;
    copies.endArchive();
    try {
      regions.close(); // no more are opened, since the gate refuses
      try {
        log.close(); // completes what asynchronous transactions wait for
      } finally {
        transactions.close();
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    try {
      checkpointer.release();
      long capacity = superblocks.current().capacity();
      home.unmap(() -> ClosedException.heap(location()));
      if (complete && !medium.byteAddressable()) {
        home.file().truncate(capacity); // drops the sparse rest of the last extent
        if (checked != null) {
          checked.truncate(capacity);
        }
      }
      if (checked != null) {
        checked.close();
      }
      changes.close();
      home.file().close();
    } finally {
      share.close();
      medium.close();
      released = true;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Connects the transactions with the gate and the checkpoints. */
  private final class Monitor implements CommitMonitor {
    @Override
    public void awaitGate() {
      gate.await(this::checkState, schedule::relieve);
    }

    private void checkState() {
      Throwable death = schedule.death();
      if (death != null) {
        state.poison(death);
      }
      state.completePoisoning();
    }

    @Override
    public void checkReadable() {
      state.requireUsable();
    }

    @Override
    public void committed(long lsn) {
      schedule.committed(lsn);
    }

    @Override
    public void poison(Throwable cause) {
      state.fail(cause);
    }

    @Override
    public EverheapException poisoned() {
      return state.poisoned();
    }
  }
}
