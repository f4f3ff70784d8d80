package io.everheap.engine;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.CommitMonitor;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.EverheapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.ReadOnlyHeapException;
import io.everheap.memory.Medium;
import io.everheap.memory.Threads;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One open heap: what recovery built, the transactions on it, and the threads that keep its log
 * short. The layers above store and load through {@link #memory}, inside {@link #transactions}, in
 * blocks of {@link #allocator}.
 */
public final class Engine implements AutoCloseable, HeapContext.Services {
  private final Signals signals = new Signals(this::isWriting);
  private final Medium medium;
  private final EngineOptions options;
  private final Home home;
  private final @Nullable CheckedPages checked;
  private final SuperblockStore superblocks;
  private final Log log;
  private final Transactions transactions;
  private final HeapMemory memory;
  private final WriterLock lock;
  private final Gate gate;
  private final HeapState state;
  private final HomeSize size;
  private final Allocator allocator;
  private final Checkpointer checkpointer;
  private final CheckpointSchedule schedule;
  private final Housekeeper housekeeper;
  private final Regions regions;
  private final RecoveryReport recovery;
  private final HeapContext context;
  private final Medium.Watch watch;
  private final Object closing = new Object();
  private boolean closed; // guarded by closing
  private volatile boolean closingNow;
  private volatile boolean drained; // everything is durable, or was not to be
  private volatile boolean released;

  private Engine(Medium medium, EngineOptions options, Recovery found) {
    this.medium = medium;
    this.options = options;
    this.home = found.home();
    this.checked = found.checked();
    this.superblocks = found.superblocks();
    this.log = found.log();
    this.recovery = found.report();
    this.transactions =
        new Transactions(
            home,
            log,
            new Monitor(),
            options.maxTransaction(),
            options.lockTimeoutNanos(),
            options.sync());
    this.memory = transactions.memory();
    this.lock = transactions.lock;
    this.gate = new Gate(transactions::shutGate);
    this.state = new HeapState(medium, home, superblocks, log, lock, gate, signals);
    this.size =
        new HomeSize(
            home,
            checked,
            superblocks,
            transactions,
            state,
            options.maxCapacity(),
            found.allocated());
    this.allocator = blocksOf(memory);
    transactions.setParticipant(allocator.participant());
    this.checkpointer =
        new Checkpointer(medium, home, checked, log, transactions, superblocks, recovery.epoch());
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
            new Pressure(options, medium, home, log),
            found.begun(),
            options.automatic());
    this.housekeeper = new Housekeeper(options.automatic());
    this.regions = new Regions(medium, state, superblock().uuid());
    this.context = new HeapContext(this, memory, allocator, transactions, signals);
    superblocks.onFailure(state::fail);
    log.onFailure(state::fail);
    log.onFull(schedule::shutGate);
    if (medium.readOnly()) {
      gate.refuse(false, this::readOnly);
      if (options.automatic()) {
        Threads.start(Thread.ofPlatform().daemon().name("everheap-redo").unstarted(this::redo));
      }
    } else {
      schedule.start();
    }
    try {
      this.watch = options.automatic() ? medium.watch(this::look, state::fail) : () -> {};
    } catch (RuntimeException | Error e) {
      schedule.stop();
      throw e;
    }
  }

  /** Brings all pages up to date, where no checkpoint does. */
  private void redo() {
    try {
      checkpointer.exclusively(() -> {});
    } catch (RuntimeException | Error _) {
      // The heap was closed; or a page cannot be read, which a program that uses it is told.
    }
  }

  private boolean isWriting() {
    return lock.isHeld();
  }

  /** What everything that lives in the heap is built on. */
  public HeapContext context() {
    return context;
  }

  /**
   * Opens the heap on a medium, and makes one if there is none. Reads are served on return, and
   * what they see is durable; the first transaction may have to wait for a checkpoint. Closing the
   * engine closes the medium; when this throws, the medium stays open.
   */
  public static Engine open(Medium medium, EngineOptions options) {
    return of(medium, options, Recovery.run(medium, options));
  }

  /** The engine over what a recovery built, which is released if this fails. */
  static Engine of(Medium medium, EngineOptions options, Recovery recovery) {
    try {
      return new Engine(medium, options, recovery);
    } catch (RuntimeException | Error e) {
      recovery.close();
      throw e;
    }
  }

  /**
   * Checks that there is a heap on a medium.
   *
   * @throws io.everheap.error.HeapMissingException if there is none
   */
  public static void requireHeap(Medium medium) {
    HeapFiles.requireHome(medium);
  }

  private ReadOnlyHeapException readOnly() {
    return new ReadOnlyHeapException(
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
   * The blocks as the words that a view of the memory shows describe them: for statistics of a
   * thread that does not hold the writer lock, and for readers of a snapshot.
   */
  @Override
  public Allocator blocksOf(HeapMemory view) {
    return new Allocator(view, home.extentShift(), size);
  }

  @Override
  public void housekeeping(Runnable task) {
    if (!medium.readOnly()) {
      housekeeper.submit(task);
    }
  }

  /** Waits until background tasks are done. */
  public void drainHousekeeping() {
    housekeeper.drain();
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

  /** What is wrong with the superblocks, as far as they can be checked while the heap is open. */
  public List<FileCheck.Finding> superblocks() {
    return medium.readOnly()
        ? FileCheck.superblocks(home.file())
        : FileCheck.newestSuperblock(home.file(), superblock().address());
  }

  /**
   * Reads the home file and reports every page that is not what the last checkpoint wrote.
   * Transactions go on. On a byte-addressable medium pages have no checksums.
   *
   * @param findings called in this thread; must not use the heap
   */
  public void scrub(Consumer<PageDamage> findings) {
    transactions.requireOutside("scrub");
    state.requireUsable();
    try {
      new Scrub(home, checked, checkpointer).run(findings);
    } catch (IllegalStateException e) {
      state.requireUsable(); // it was closed meanwhile
      throw e;
    }
  }

  /** Looks for what went wrong unnoticed; now and then, in a thread of the medium's. */
  private void look() {
    state.complete(); // an error may have ended it half-way
    log.look();
    superblocks.requireOurs();
  }

  /**
   * Gives whole chunks at the end of the home image that hold no block back to the file system.
   *
   * @return bytes given back
   */
  public long shrink() {
    transactions.requireOutside("shrink");
    state.requireWritable();
    return new Shrink(home, allocator, transactions, checkpointer, size).run();
  }

  /**
   * Opens a file of bytes that no transaction knows of, and makes it if there is none; the same one
   * for the same name until the heap is closed.
   *
   * @param name of letters, digits, dots, dashes and underscores
   * @throws IllegalArgumentException if it has another size
   */
  public RegionFile region(String name, long bytes) {
    return regions.open(name, bytes);
  }

  /** Names of the regions that there are. */
  public List<String> regions() {
    return regions.names();
  }

  /**
   * Size of a region.
   *
   * @throws io.everheap.error.CorruptHeapException if its file is damaged
   */
  public long regionSize(String name) {
    return regions.size(name);
  }

  /** Deletes a region; true if there was one. */
  public boolean removeRegion(String name) {
    return regions.remove(name);
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

  /** What opening the heap found. */
  public RecoveryReport recovery() {
    return recovery;
  }

  /** Checkpoints completed since the heap was opened. */
  public long checkpoints() {
    return checkpointer.checkpoints();
  }

  /** How often the home image grew since the heap was opened. */
  public long growths() {
    return size.growths();
  }

  /** Whether reads work: neither closed nor poisoned. */
  public boolean isOpen() {
    if (state.isPoisoned()) {
      state.complete(); // what this says should be true of all that follows
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
    synchronized (closing) {
      if (released || closingNow) {
        return;
      }
      closed = true;
      closingNow = true;
    }
    try {
      end();
    } finally {
      closingNow = false;
    }
  }

  /** Ends everything; goes on with it if an error of the virtual machine ended that before. */
  private void end() {
    watch.close();
    housekeeper.stop();
    schedule.stop();
    state.complete();
    boolean writable = !gate.refuses();
    gate.refuse(true, () -> new HeapClosedException(location()));
    signals.wakeEverybody();
    boolean complete = false;
    if (!drained) {
      transactions.settle(); // the running transaction ends first; no other begins
      try {
        if (!state.isPoisoned()) {
          log.awaitDurable(log.appended()); // also if transactions were refused after a while
        }
        if (writable && !state.isPoisoned()) {
          checkpointer.checkpoint(true);
          superblocks.repeat(); // either one suffices, although the other's log goes
          complete = true;
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
   * @param complete whether the closing checkpoint is durable; only then may the file be cut
   */
  private void release(boolean complete) {
    RuntimeException failure = null;
    try {
      regions.close(); // the gate is shut, so that no more are opened
      try {
        log.close(); // ends the waits for asynchronous transactions
      } finally {
        transactions.close();
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    try {
      long capacity = superblocks.current().capacity();
      home.unmap(() -> new HeapClosedException(location()));
      if (complete && !medium.byteAddressable()) {
        home.file().truncate(capacity); // the sparse rest of the last extent
        if (checked != null) {
          checked.truncate(capacity);
        }
      }
      if (checked != null) {
        checked.close();
      }
      home.file().close();
    } finally {
      medium.close();
      released = true;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Ties the transactions to the gate and the checkpoints. */
  private final class Monitor implements CommitMonitor {
    @Override
    public void awaitGate() {
      gate.await(this::look, schedule::relieve);
    }

    private void look() {
      Throwable death = schedule.death();
      if (death != null) {
        state.poison(death);
      }
      state.complete();
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
