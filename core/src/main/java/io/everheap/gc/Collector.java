package io.everheap.gc;

import io.everheap.engine.event.EngineLogger;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Snapshot;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.StoppedException;
import io.everheap.memory.Threads;
import io.everheap.report.CollectProgress;
import io.everheap.report.CollectProgress.Phase;
import io.everheap.report.CollectReport;
import io.everheap.report.CollectReport.Outcome;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Frees unreachable objects and structures: a snapshot-at-the-beginning mark-and-sweep collector
 * that runs beside transactions.
 *
 * <p>The {@link Marker} follows references through a {@link Snapshot} of the committed state, so a
 * reference that a transaction moves meanwhile is not missed. Two things are not in the snapshot:
 * blocks allocated since it was taken, which count as live, and references stored since, which the
 * barrier ({@link Liveness}) records and the marker marks as well. When nothing is left to mark,
 * the {@link Sweeper} frees the blocks that are not live, in short transactions. Only these
 * transactions change the heap: a crash leaves the remaining garbage to the next collection.
 *
 * <p>Safe for use by many threads. One collection runs at a time: {@link #holder} has the turn, and
 * the state of a collection belongs to that thread.
 */
public final class Collector {
  /** Period at which a waiting thread checks the turn again: an error may lose the wake-up. */
  private static final long RECHECK_MILLIS = 200;

  /** Pause after a failed collection, since the next one may be due at once and fail as well. */
  private static final long PAUSE_NANOS = 1_000_000_000;

  /**
   * Ends a collection early. An error, not an exception, because the checks of structures treat an
   * exception as damage.
   */
  private static final class Stopped extends Error {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("the collection is stopped", null, false, false);
    }
  }

  private final StructureContext heap;
  private final Transactions transactions;
  private final long budget;
  private final double growthShare;
  private final Effort effort;
  private final Object turn = new Object();

  /**
   * The thread that has the turn, or null. Set under {@link #turn}; cleared by a store without a
   * lock, because a store works even when a call would overflow the stack.
   */
  private volatile @Nullable Thread holder;

  private volatile boolean stopping;
  private @Nullable Thread thread;
  private @Nullable Growth growth;

  /** The result of a marking whose sweep did not complete, or null; guarded by the turn. */
  private @Nullable Liveness unfinished;

  /**
   * Creates the collector of a heap.
   *
   * @param budget limit of the snapshot's copies of overwritten lines, in bytes of Java memory
   * @param growthShare the share of the heap's size that transactions allocate before the thread of
   *     {@link #start} runs the next collection
   */
  public Collector(StructureContext heap, long budget, double growthShare) {
    this(heap, budget, growthShare, Effort.DEFAULT);
  }

  Collector(StructureContext heap, long budget, double growthShare, Effort effort) {
    this.effort = effort;
    this.heap = heap;
    this.transactions = heap.transactions();
    this.budget = budget;
    this.growthShare = growthShare;
  }

  /**
   * Starts the thread that collects whenever transactions have allocated enough. Called at most
   * once, for a writable heap.
   */
  public void start() {
    Thread collecting = Threads.daemon("everheap-collector", this::work);
    long capacity = heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
    Growth counting = new Growth(growthShare, capacity, collecting);
    thread = collecting;
    growth = counting;
    transactions.quiesced(() -> heap.allocator().setBarrier(counting));
    collecting.start();
  }

  private void work() {
    Growth counting = Objects.requireNonNull(growth);
    while (!stopping) {
      if (!counting.reached()) {
        LockSupport.park(this);
        continue;
      }
      try {
        CollectReport report = collect(CollectProgress.NONE);
        EngineLogger.get().log(System.Logger.Level.DEBUG, "an automatic collection: {0}", report);
      } catch (ClosedException | StoppedException e) {
        return;
      } catch (RuntimeException | Error e) {
        warn(e);
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  private static void warn(Throwable cause) {
    try {
      EngineLogger.get().log(System.Logger.Level.WARNING, "an automatic collection failed", cause);
    } catch (RuntimeException | Error _) {
      // Java memory may be exhausted: collections go on without the message.
    }
  }

  /** Ends a running collection early, and waits for the thread that {@link #start} made. */
  public void stop() {
    stopping = true;
    Thread collecting = thread;
    boolean interrupted = false;
    while (collecting != null && collecting.isAlive()) {
      LockSupport.unpark(collecting);
      try {
        collecting.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Runs a collection; waits for a running one first.
   *
   * @param progress called by this thread, without a lock
   * @throws CorruptException if the marking met damage; nothing was freed
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  public CollectReport collect(CollectProgress progress) {
    requireOutside("collect");
    long start = System.nanoTime();
    try {
      takeTurn(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return nothing(Outcome.INTERRUPTED, start);
    }
    try {
      return new Run(progress, start).run();
    } finally {
      holder = null;
      wakeOthers();
    }
  }

  /** Waits for the turn; an interrupt ends the wait only if {@code interruptibly}. */
  private void takeTurn(boolean interruptibly) throws InterruptedException {
    Thread self = Thread.currentThread();
    boolean interrupted = false;
    synchronized (turn) {
      while (holder != null) {
        try {
          turn.wait(RECHECK_MILLIS);
        } catch (InterruptedException e) {
          if (interruptibly) {
            throw e;
          }
          interrupted = true;
        }
      }
      if (interrupted) {
        self.interrupt();
      }
      holder = self;
    }
  }

  private void wakeOthers() {
    synchronized (turn) {
      turn.notifyAll();
    }
  }

  /**
   * Runs an action that must not overlap a collection; waits for a running one first.
   *
   * @param operation name of the action in messages
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  public <T> T exclusively(String operation, Supplier<T> action) {
    requireOutside(operation);
    try {
      takeTurn(false);
    } catch (InterruptedException e) {
      throw new AssertionError(e); // not asked for
    }
    try {
      return action.get();
    } finally {
      holder = null;
      wakeOthers();
    }
  }

  private void requireOutside(String operation) {
    transactions.requireOutside(operation);
    if (transactions.inView() || Thread.currentThread().equals(holder)) {
      throw new IllegalStateException(operation + " inside a read or a collection");
    }
  }

  private static CollectReport nothing(Outcome outcome, long start) {
    Duration duration = Duration.ofNanos(System.nanoTime() - start);
    return new CollectReport(outcome, 0, 0, 0, 0, 0, duration, Duration.ZERO, 0, List.of());
  }

  /** The state of one collection; used by the thread that has the turn. */
  private final class Run {
    private final CollectProgress progress;
    private final long start;
    private final Sweeper.Pauses pauses = new Sweeper.Pauses();
    private final @Nullable Liveness previous = unfinished;
    private @Nullable Liveness liveness;
    private @Nullable Snapshot snapshot;
    private @Nullable Marker marker;
    private @Nullable Sweeper sweeper;
    private @Nullable RuntimeException failure;
    private long capacity;
    private long savedBytes;
    private boolean markingFinished;
    private boolean complete;

    Run(CollectProgress progress, long start) {
      this.progress = progress;
      this.start = start;
    }

    CollectReport run() {
      try {
        Liveness blocks = begin();
        if (!mark(Objects.requireNonNull(snapshot), blocks)) {
          return report(Outcome.TOO_MANY_CHANGES);
        }
        Sweeper sweeping =
            new Sweeper(heap, blocks, effort, pauses, freed -> step(Phase.FREEING, freed));
        sweeper = sweeping;
        sweeping.run(capacity);
        complete = true;
        return report(Outcome.COMPLETE);
      } catch (Stopped e) {
        if (failure != null) {
          throw failure;
        }
        if (stopping) {
          throw ClosedException.heap(heap.location());
        }
        return report(Outcome.INTERRUPTED);
      } finally {
        transactions.quiesced(this::end);
        new PendingFrees(heap).resume();
      }
    }

    /**
     * Takes the snapshot and installs the barrier in one transaction. {@code begin} and {@code end}
     * are called directly so that the pause is measured from the moment the lock is held.
     */
    private Liveness begin() {
      boolean ok = false;
      long from = 0;
      transactions.begin();
      try {
        from = System.nanoTime();
        transactions.wantSync(false);
        capacity = heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
        Liveness blocks = new Liveness(capacity, previous, growth);
        snapshot = transactions.snapshot(budget);
        setBarrier(blocks);
        liveness = blocks;
        ok = true;
        return blocks;
      } catch (InternalError e) {
        throw transactions.faulted(e);
      } finally {
        transactions.lock.endsDue++;
        transactions.end(ok);
        pauses.add(System.nanoTime() - from);
      }
    }

    private void setBarrier(@Nullable Liveness barrier) {
      transactions.setBarrier(barrier);
      heap.allocator().setBarrier(barrier != null ? barrier : growth);
    }

    /** Marks until nothing is left to mark; false if the snapshot was lost. */
    private boolean mark(Snapshot taken, Liveness blocks) {
      try {
        Marker marking =
            new Marker(
                heap.at(taken),
                heap.memory(),
                taken,
                blocks.marks(),
                effort,
                live -> step(Phase.MARKING, live));
        marker = marking;
        marking.markRoots();
        while (!taken.lost()) {
          step(Phase.MARKING, marking.liveObjects() + marking.liveStructures());
          long[] stored = takeStored(taken, blocks);
          if (markingFinished) {
            return true;
          }
          for (long reference : stored) {
            marking.mark(reference);
          }
        }
        return false;
      } catch (ClosedException | StoppedException e) {
        throw e;
      } catch (RuntimeException e) {
        if (taken.lost()) {
          return false;
        }
        CorruptException refusal =
            CorruptException.heap(
                "Heap.collect freed nothing, because it cannot tell what is in use: "
                    + e.getMessage()
                    + " (Heap.verify says more).");
        refusal.addSuppressed(e);
        throw refusal;
      }
    }

    /**
     * Returns the references stored since the last call; if there are none, marking is finished.
     */
    private long[] takeStored(Snapshot taken, Liveness blocks) {
      long[][] stored = new long[1][];
      transactions.quiesced(
          () -> {
            long from = System.nanoTime();
            stored[0] = blocks.takeStored();
            if (stored[0].length == 0 && !taken.lost()) {
              blocks.finishMarking();
              markingFinished = true;
              savedBytes = taken.savedBytes();
              transactions.dropSnapshot();
            }
            pauses.add(System.nanoTime() - from);
          });
      return stored[0];
    }

    private void step(Phase phase, long done) {
      if (stopping || Thread.currentThread().isInterrupted()) {
        throw new Stopped();
      }
      try {
        progress.update(phase, done);
      } catch (RuntimeException e) {
        failure = e; // thrown by the caller's callback, not by the heap
        throw new Stopped();
      }
    }

    /** Drops the snapshot, and installs the barrier of an incomplete collection, or none. */
    private void end() {
      transactions.dropSnapshot();
      if (growth != null) {
        growth.reset(capacity);
      }
      if (liveness == null) {
        return;
      }
      unfinished = complete ? null : markingFinished ? liveness : previous;
      setBarrier(unfinished);
    }

    private CollectReport report(Outcome outcome) {
      Marker marking = marker;
      Sweeper sweeping = sweeper;
      return new CollectReport(
          outcome,
          sweeping == null ? 0 : sweeping.objects(),
          sweeping == null ? 0 : sweeping.structures(),
          sweeping == null ? 0 : sweeping.bytes(),
          marking == null ? 0 : marking.liveObjects(),
          marking == null ? 0 : marking.liveStructures(),
          Duration.ofNanos(System.nanoTime() - start),
          pauses.longest(),
          savedBytes,
          sweeping == null ? List.of() : sweeping.leftAlone());
    }
  }
}
