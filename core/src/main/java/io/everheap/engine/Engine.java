package io.everheap.engine;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.event.GrowEvent;
import io.everheap.engine.event.Recording;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.PageDamage;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.CommitMonitor;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.EverheapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.HeapFullException;
import io.everheap.error.MediumException;
import io.everheap.error.PoisonedException;
import io.everheap.error.ReadOnlyHeapException;
import io.everheap.memory.Medium;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One open heap: what recovery built, the transactions on it, and the threads that keep its log
 * short. The layers above store and load through {@link #memory}, inside {@link #transactions}, in
 * blocks of {@link #allocator}.
 */
public final class Engine implements AutoCloseable, CheckableFiles {
  private static final System.Logger LOGGER = System.getLogger("io.everheap");

  private final Signals signals = new Signals(this::isWriting);
  private final Medium medium;
  private final EngineOptions options;
  private final Home home;
  private final @Nullable CheckedPages checked;
  private final SuperblockStore superblocks;
  private final Log log;
  private final Transactions transactions;
  private final Allocator allocator;
  private final Gate gate;
  private final Checkpointer checkpointer;
  private final Pressure pressure;
  private final Housekeeper housekeeper;
  private final RecoveryReport recovery;
  private final HeapMemory memory;
  private final Growth growth = new Growth();
  private final @Nullable Maintenance maintenance;
  private final Medium.Watch watch;
  private final Object closing = new Object();
  private final HeapContext context;
  private final Map<String, RegionFile> regions = new HashMap<>();
  private final WriterLock lock;
  private final Supplier<RuntimeException> whyPoisoned;
  private volatile boolean poisonComplete;
  private boolean closed;
  private volatile boolean closingNow;
  private volatile boolean drained; // everything is durable, or was not to be
  private volatile boolean released;
  private long growths;

  private Engine(
      Medium medium,
      EngineOptions options,
      Home home,
      @Nullable CheckedPages checked,
      SuperblockStore superblocks,
      Log log,
      RecoveryReport recovery,
      long allocated,
      boolean begun) {
    this.medium = medium;
    this.options = options;
    this.home = home;
    this.checked = checked;
    this.superblocks = superblocks;
    this.log = log;
    this.recovery = recovery;
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
    this.whyPoisoned = this::poisonedException;
    this.gate = new Gate(transactions::shutGate);
    this.allocator = new Allocator(transactions.memory(), home.extentShift(), growth);
    transactions.setParticipant(allocator.participant());
    growth.allocated = allocated;
    this.checkpointer =
        new Checkpointer(medium, home, checked, log, transactions, superblocks, recovery.epoch());
    this.pressure = new Pressure(options, medium, home, log);
    this.housekeeper = new Housekeeper(options.automatic());
    superblocks.onFailure(this::fail);
    log.onFailure(this::fail);
    log.onFull(this::waitForCheckpoint);
    if (medium.readOnly()) {
      gate.refuse(false, this::readOnly);
      this.maintenance = null;
    } else {
      if (!begun) {
        gate.shut(Gate.Reason.RECOVERY);
      }
      if (options.automatic()) {
        this.maintenance =
            new Maintenance(begun ? this::maintain : this::finishRecovery, this::maintain);
        maintenance.start(); // it asks itself for another checkpoint at times
      } else {
        this.maintenance = null;
        if (!begun) {
          finishRecovery();
        }
      }
    }
    this.context = new HeapContext(new Served(), memory, allocator, transactions, signals);
    this.watch = options.automatic() ? medium.watch(this::look, this::fail) : () -> {};
  }

  /** The engine as what lives in the heap sees it. */
  private final class Served implements HeapContext.Services {
    @Override
    public String location() {
      return Engine.this.location();
    }

    @Override
    public UUID uuid() {
      return superblock().uuid();
    }

    @Override
    public EngineOptions options() {
      return options;
    }

    @Override
    public int extentShift() {
      return home.extentShift();
    }

    @Override
    public long epoch() {
      return recovery.epoch();
    }

    @Override
    public void sync() {
      Engine.this.sync();
    }

    @Override
    public void housekeeping(Runnable task) {
      Engine.this.housekeeping(task);
    }

    @Override
    public boolean stopping() {
      return housekeeper.stopping();
    }

    @Override
    public Allocator blocksOf(HeapMemory view) {
      return new Allocator(view, home.extentShift(), growth);
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
      return new Engine(
          medium,
          options,
          recovery.home(),
          recovery.checked(),
          recovery.superblocks(),
          recovery.log(),
          recovery.report(),
          recovery.allocated(),
          recovery.begun());
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

  /** What recovery accepted is made durable in the home image; then transactions may begin. */
  private void finishRecovery() {
    try {
      CheckedPages file = checked;
      if (file != null && !file.active()) { // the heap comes from a byte-addressable medium
        checkpointer.exclusively(() -> file.build(growth.allocated));
      }
      checkpointer.checkpoint();
      gate.open(Gate.Reason.RECOVERY);
    } catch (EverheapException e) {
      if (isOurs()) {
        gate.refuse(false, () -> e);
      }
    } catch (RuntimeException | Error e) {
      if (lock.broken == null) {
        lock.broken = e; // by a store, since the call may fail
      }
      fail(e);
    }
  }

  /** Loads and stores of the home image. */
  public HeapMemory memory() {
    return memory;
  }

  /** What optimistic readers validate. */
  public Stripes stripes() {
    return transactions.stripes();
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
   * The blocks as the committed words alone describe them: for statistics of a thread that does not
   * hold the writer lock, and validates that no commit was applied meanwhile.
   */
  public Allocator committedBlocks() {
    return new Allocator(memory, home.extentShift(), growth);
  }

  /** Runs a task of short transactions in the background; dropped when the heap is closed. */
  public void housekeeping(Runnable task) {
    if (!medium.readOnly()) {
      housekeeper.submit(task);
    }
  }

  /** Waits until background tasks are done. */
  public void drainHousekeeping() {
    housekeeper.drain();
  }

  /** Waits until everything visible is durable. */
  public void sync() {
    requireUsable();
    log.awaitDurable(log.appended());
  }

  /** Runs a checkpoint now. */
  public void checkpoint() {
    transactions.requireOutside("checkpoint");
    requireWritable();
    runCheckpoint();
    pressure.relieved();
    if (!pressure.high()) {
      gate.open(Gate.Reason.PRESSURE);
    }
  }

  @Override
  public List<FileCheck.Finding> superblocks() {
    return medium.readOnly()
        ? FileCheck.superblocks(home.file())
        : FileCheck.newestSuperblock(home.file(), superblock().address());
  }

  @Override
  public void scrub(Consumer<PageDamage> findings) {
    transactions.requireOutside("scrub");
    requireUsable();
    try {
      new Scrub(home, checked, checkpointer).run(findings);
    } catch (IllegalStateException e) {
      requireUsable(); // it was closed meanwhile
      throw e;
    }
  }

  /** The first one after a recovery says whether the pages that the log changes are sound. */
  private void runCheckpoint() {
    try {
      checkpointer.checkpoint();
    } catch (CorruptHeapException e) {
      if (log.old() > 0) {
        gate.refuse(false, () -> e); // a damaged heap was opened: what is added to it helps nobody
      }
      throw e;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }

  private void maintain() {
    try {
      if (!isCheckpointDue() && log.isLow() && log.makeSpace()) {
        gate.open(Gate.Reason.PRESSURE); // that was all that was missing
        return;
      }
      runCheckpoint();
      checkpointer.releasePrivatePages(pressure.keepResident());
      pressure.relieved();
      if (pressure.high()) {
        requestCheckpoint();
      } else {
        gate.open(Gate.Reason.PRESSURE);
      }
    } catch (EverheapException e) {
      if (!isOurs()) {
        return;
      }
      LOGGER.log(System.Logger.Level.WARNING, "checkpoint of " + location() + " failed", e);
      pressure.relieved();
      gate.failPressure(e);
    } catch (RuntimeException | Error e) {
      if (lock.broken == null) {
        lock.broken = e; // by a store, since the call may fail
      }
      fail(e);
    }
  }

  /** Whether the files are still those of this heap; if not, it is poisoned. */
  private boolean isOurs() {
    try {
      superblocks.check();
      return true;
    } catch (EverheapException e) {
      return false;
    }
  }

  /** What the heap is looked at for at times, in a thread of the medium's. */
  private void look() {
    completePoison(); // an error may have ended it half-way
    log.look();
    superblocks.requireOurs();
  }

  private boolean isCheckpointDue() {
    return pressure.high() || (maintenance != null && pressure.due());
  }

  /** Has the next transactions wait for a checkpoint. */
  private void waitForCheckpoint() {
    gate.shut(Gate.Reason.PRESSURE);
    requestCheckpoint();
  }

  private void requestCheckpoint() {
    Maintenance m = maintenance;
    if (m != null) {
      m.request();
    }
  }

  /**
   * Gives whole chunks at the end of the home image that hold no block back to the file system.
   *
   * @return bytes given back
   */
  public long shrink() {
    transactions.requireOutside("shrink");
    requireWritable();
    long[] freed = {0};
    long before = home.getLong(HomeLayout.CAPACITY_ADDRESS);
    // A transaction may wait for a checkpoint, so it comes before this thread keeps others out.
    long after = lowerCapacity();
    checkpointer.exclusively(
        () -> {
          if (after < before) {
            checkpointer.checkpoint();
            transactions.quiesced(
                () -> {
                  // A transaction may have grown the image again since.
                  if (home.getLong(HomeLayout.CAPACITY_ADDRESS) == after) {
                    checkpointer.checkpoint();
                    growth.allocated = after; // first: space that may be gone is written anew
                    try {
                      home.truncate(after, whyPoisoned);
                      if (checked != null) {
                        checked.truncate(after);
                      }
                    } catch (RuntimeException | Error e) {
                      if (e instanceof Error || home.isUnmapped()) {
                        lock.broken = e; // what is mapped of the image is not known
                      }
                      throw e;
                    }
                    freed[0] = before - after;
                  }
                });
          }
        });
    return freed[0];
  }

  private long lowerCapacity() {
    transactions.run(allocator::trim); // chunks that are empty but kept for their size
    long[] capacity = new long[1];
    transactions.run(
        () -> {
          long used = Math.max(allocator.usedEnd(), HomeLayout.INITIAL_CAPACITY);
          capacity[0] = Math.min(used, memory().getLong(HomeLayout.CAPACITY_ADDRESS));
          if (used < memory().getLong(HomeLayout.CAPACITY_ADDRESS)) {
            allocator.shrink(used);
          }
        });
    return capacity[0];
  }

  /**
   * Opens a file of bytes that no transaction knows of, and makes it if there is none; the same one
   * for the same name until the heap is closed.
   *
   * @param name of letters, digits, dots, dashes and underscores
   * @throws IllegalArgumentException if it has another size
   */
  public RegionFile region(String name, long bytes) {
    RegionFile.requireName(name);
    RegionFile.requireBytes(bytes);
    synchronized (regions) {
      requireUsable();
      RegionFile found = regions.get(name);
      if (found == null) {
        found = RegionFile.open(medium, superblocks.current().uuid(), name, bytes);
        regions.put(name, found);
      } else if (found.bytes() != bytes) {
        throw new IllegalArgumentException(
            "the region " + name + " has " + found.bytes() + " bytes, not " + bytes);
      }
      return found;
    }
  }

  @Override
  public List<String> regions() {
    requireUsable();
    return RegionFile.names(medium);
  }

  @Override
  public long regionSize(String name) {
    return RegionFile.size(medium, superblocks.current().uuid(), name);
  }

  /** Deletes a region; true if there was one. */
  public boolean removeRegion(String name) {
    RegionFile.requireName(name);
    synchronized (regions) {
      requireWritable();
      RegionFile open = regions.remove(name);
      if (open != null) {
        open.close();
      }
      boolean found = medium.exists(RegionFile.PREFIX + name);
      medium.delete(RegionFile.PREFIX + name);
      medium.syncDirectory("");
      return found;
    }
  }

  /** Where the heap is, for messages. */
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

  /** How it was set up. */
  public EngineOptions options() {
    return options;
  }

  @Override
  public RecoveryReport recovery() {
    return recovery;
  }

  /** Checkpoints completed since the heap was opened. */
  public long checkpoints() {
    return checkpointer.checkpoints();
  }

  /** How often the home image grew since the heap was opened. */
  public long growths() {
    return growths;
  }

  /** Whether reads work: neither closed nor poisoned. */
  public boolean isOpen() {
    if (isPoisoned()) {
      completePoison(); // what this says should be true of all that follows
      return false;
    }
    synchronized (closing) {
      return !closed;
    }
  }

  private boolean isPoisoned() {
    return lock.broken != null;
  }

  /**
   * Whatever stands in the way of transactions, reads work until the heap is closed or poisoned.
   */
  private void requireUsable() {
    completePoison();
    RuntimeException refusal = gate.readRefusal();
    if (refusal != null) {
      throw refusal;
    }
  }

  private void requireWritable() {
    completePoison();
    RuntimeException refusal = gate.refusal();
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Poisons the heap, and says what it means if memory could not be loaded or stored. */
  private void fail(Throwable cause) {
    Throwable why = cause instanceof InternalError fault ? explain(fault) : cause;
    if (cause.equals(lock.broken)) {
      lock.broken = why;
    }
    poison(why);
  }

  /** A page of a mapping was not there: its file was cut off, or the device failed or is full. */
  private EverheapException explain(InternalError fault) {
    try {
      superblocks.requireOurs();
    } catch (EverheapException e) {
      e.addSuppressed(fault);
      return e;
    }
    return new MediumException(
        "cannot load or store a mapped page of a file in "
            + location()
            + ": the file was cut off, or the device failed or is full",
        fault);
  }

  /**
   * Nothing is known any more of what is durable: nothing is read or written until a reopen. The
   * first cause stays. An error of the virtual machine may end this half-way; then the next thread
   * that uses the heap goes on with it.
   */
  void poison(Throwable cause) {
    if (lock.broken == null) {
      lock.broken = cause;
    }
    completePoison();
  }

  private void completePoison() {
    Throwable cause = lock.broken;
    if (cause == null || poisonComplete) {
      return;
    }
    superblocks.poison(cause); // a checkpoint may be under way
    log.poison(cause);
    gate.refuse(true, whyPoisoned);
    signals.wakeEverybody();
    try {
      home.unmap(whyPoisoned);
    } catch (RuntimeException e) {
      LOGGER.log(System.Logger.Level.DEBUG, "an extent was in use while poisoned", e);
    }
    poisonComplete = true;
  }

  private PoisonedException poisonedException() {
    return new PoisonedException(location(), lock.broken);
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
    Maintenance m = maintenance;
    if (m != null) {
      m.stop(); // after the recovery that it may still be finishing
    }
    completePoison();
    boolean writable = !gate.refuses();
    gate.refuse(true, () -> new HeapClosedException(location()));
    signals.wakeEverybody();
    boolean complete = false;
    if (!drained) {
      transactions.settle(); // the running transaction ends first; no other begins
      try {
        if (!isPoisoned()) {
          log.awaitDurable(log.appended()); // also if transactions were refused after a while
        }
        if (writable && !isPoisoned()) {
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
      synchronized (regions) { // after the gate was shut, so that no more are opened
        regions.values().forEach(RegionFile::close);
      }
      try {
        log.close(); // tells those who wait for asynchronous transactions
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
      gate.await(this::look, this::relieve);
    }

    private void look() {
      Maintenance m = maintenance;
      Throwable death = m == null ? null : m.death();
      if (death != null) {
        Engine.this.poison(death);
      }
      completePoison();
    }

    private void relieve() {
      Maintenance m = maintenance;
      if (m != null) {
        m.request();
      } else {
        maintain();
      }
    }

    @Override
    public void checkReadable() {
      requireUsable();
    }

    @Override
    public void committed(long lsn) {
      switch (pressure.after(lsn)) {
        case NONE -> {}
        case CHECKPOINT -> requestCheckpoint();
        case WAIT -> waitForCheckpoint();
      }
    }

    @Override
    public void poison(Throwable cause) {
      Engine.this.fail(cause);
    }

    @Override
    public EverheapException poisoned() {
      return poisonedException();
    }
  }

  /**
   * Grows the home image in steps of a 32nd: large enough that there are few of them, small enough
   * that little of the file is not in use.
   */
  private final class Growth implements io.everheap.engine.alloc.HomeGrowth {
    private static final long PARTS = 32;
    private static final long LEAST_STEP = 4L << 20;
    private static final long MOST_STEP = 256L << 20;

    /**
     * The file has space up to here. More than the capacity after a rollback, or while a lower
     * capacity is not durable: then zeros would destroy what a crash may bring back.
     */
    private long allocated;

    @Override
    public long limit() {
      return options.maxCapacity() & -HomeLayout.CHUNK_SIZE;
    }

    @Override
    public long grow(long minimumCapacity) {
      if (minimumCapacity > limit()) {
        throw new HeapFullException(limit(), minimumCapacity, "HeapBuilder.maxSize");
      }
      long capacity = memory().getLong(HomeLayout.CAPACITY_ADDRESS);
      long step = Math.clamp(capacity / PARTS, LEAST_STEP, MOST_STEP);
      long wanted = Math.min(limit(), Math.max(minimumCapacity, capacity + step));
      long rounded = (wanted + HomeLayout.CHUNK_SIZE - 1) & -HomeLayout.CHUNK_SIZE;
      long grown = Math.min(rounded, limit());
      if (grown > allocated) {
        GrowEvent event = Recording.isOn() ? new GrowEvent() : null;
        if (event != null) {
          event.begin();
        }
        home.writeZeros(Math.max(capacity, allocated), grown);
        if (checked != null) {
          checked.clear(Math.max(capacity, allocated), grown, superblocks::sync);
        }
        superblocks.syncFile(); // its failure may be that of a checkpoint's page: it poisons
        home.map(grown);
        allocated = grown;
        growths++;
        if (event != null) {
          event.capacity = grown;
          event.commit();
        }
      }
      return grown;
    }
  }
}
