package io.everheap.gc;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Snapshot;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
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
 * Frees objects and structures that nothing leads to, one collection at a time.
 *
 * <p>It takes a {@link Snapshot} of the committed state and follows references through it while
 * transactions go on, so it misses no reference that they move. What is not in the snapshot is made
 * of blocks allocated since, which are live, and of references that transactions stored since,
 * which are marked as well. When nothing is left to be marked, what is not live is freed in short
 * transactions. Nothing but these is durable: a crash leaves garbage for another collection.
 *
 * <p>Safe for use by many threads; one collection runs at a time.
 */
public final class Collector {
  /** A waiting thread looks again after this time: an error may have lost the wake-up. */
  private static final long LOOK_AFTER_MILLIS = 200;

  /**
   * Ends a collection early. It is no exception because what checks structures takes exceptions for
   * damage.
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
  private final double growthPart;
  private final Effort effort;
  private final Object turn = new Object();

  /** The thread whose turn it is; given up by a store, which works when nothing can be called. */
  private volatile @Nullable Thread holder;

  private volatile boolean stopping;
  private @Nullable Thread thread;
  private @Nullable Growth growth;

  /** Of a collection that ended before it had freed everything; guarded by the turn. */
  private @Nullable Doomed unfinished;

  /**
   * The collector of a heap.
   *
   * @param budget the most bytes of memory for what transactions overwrite meanwhile
   * @param growthPart of the heap's size that is allocated before the thread of {@link #start} runs
   *     another collection
   */
  public Collector(StructureContext heap, long budget, double growthPart) {
    this(heap, budget, growthPart, Effort.DEFAULT);
  }

  Collector(StructureContext heap, long budget, double growthPart, Effort effort) {
    this.effort = effort;
    this.heap = heap;
    this.transactions = heap.transactions();
    this.budget = budget;
    this.growthPart = growthPart;
  }

  /** Starts a thread that collects whenever enough was allocated; once, if the heap is writable. */
  public void start() {
    Thread collecting =
        Thread.ofPlatform().daemon().name("everheap-collector").unstarted(this::work);
    long capacity = heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
    Growth counting = new Growth(growthPart, capacity, collecting);
    thread = collecting;
    growth = counting;
    transactions.quiesced(() -> heap.allocator().follow(counting));
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
        System.getLogger("io.everheap")
            .log(System.Logger.Level.DEBUG, "an automatic collection: {0}", report);
      } catch (HeapClosedException | PoisonedException e) {
        return;
      } catch (RuntimeException e) {
        System.getLogger("io.everheap")
            .log(System.Logger.Level.WARNING, "an automatic collection failed", e);
      }
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
   * Runs a collection, after the one that runs if there is one.
   *
   * @param progress is called by this thread
   * @throws CorruptHeapException if it met something that it cannot interpret; nothing was freed
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  public CollectReport collect(CollectProgress progress) {
    requireOutside("collect");
    long start = System.nanoTime();
    try {
      take(true);
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

  /** Waits for the turn. */
  private void take(boolean interruptibly) throws InterruptedException {
    Thread self = Thread.currentThread();
    boolean interrupted = false;
    synchronized (turn) {
      while (holder != null) {
        try {
          turn.wait(LOOK_AFTER_MILLIS);
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
   * Runs what must not happen during a collection, after the one that runs if there is one.
   *
   * @param operation what it is called
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  public <T> T exclusively(String operation, Supplier<T> action) {
    requireOutside(operation);
    try {
      take(false);
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

  /** One collection. */
  private final class Run {
    private final CollectProgress progress;
    private final long start;
    private final Sweeper.Pauses pauses = new Sweeper.Pauses();
    private final @Nullable Doomed before = unfinished;
    private @Nullable Doomed doomed;
    private @Nullable Snapshot snapshot;
    private @Nullable Marker marker;
    private @Nullable Sweeper sweeper;
    private @Nullable RuntimeException failure;
    private long capacity;
    private long savedBytes;
    private boolean decided;
    private boolean complete;

    Run(CollectProgress progress, long start) {
      this.progress = progress;
      this.start = start;
    }

    CollectReport run() {
      try {
        Doomed blocks = begin();
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
          throw new HeapClosedException(heap.location());
        }
        return report(Outcome.INTERRUPTED);
      } finally {
        transactions.quiesced(this::end);
        new PendingFrees(heap).resume();
      }
    }

    /**
     * The transaction is written out: the pause is counted from the moment when it has its turn.
     */
    private Doomed begin() {
      boolean ok = false;
      long from = 0;
      transactions.begin();
      try {
        from = System.nanoTime();
        transactions.wantSync(false);
        capacity = heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
        Doomed blocks = new Doomed(capacity, before, growth);
        snapshot = transactions.snapshot(budget);
        follow(blocks);
        doomed = blocks;
        ok = true;
        return blocks;
      } finally {
        transactions.lock.endsDue++;
        transactions.end(ok);
        pauses.add(System.nanoTime() - from);
      }
    }

    private void follow(@Nullable Doomed barrier) {
      transactions.follow(barrier);
      heap.allocator().follow(barrier != null ? barrier : growth);
    }

    /** False if the snapshot was lost. */
    private boolean mark(Snapshot taken, Doomed blocks) {
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
          if (decided) {
            return true;
          }
          for (long reference : stored) {
            marking.mark(reference);
          }
        }
        return false;
      } catch (HeapClosedException | PoisonedException e) {
        throw e;
      } catch (RuntimeException e) {
        if (taken.lost()) {
          return false;
        }
        CorruptHeapException refusal =
            new CorruptHeapException(
                "Heap.collect freed nothing, because it cannot tell what is in use: "
                    + e.getMessage()
                    + " (Heap.verify says more).");
        refusal.addSuppressed(e);
        throw refusal;
      }
    }

    /** What transactions stored and is to be marked; if there is nothing, the marking is over. */
    private long[] takeStored(Snapshot taken, Doomed blocks) {
      long[][] stored = new long[1][];
      transactions.quiesced(
          () -> {
            long from = System.nanoTime();
            stored[0] = blocks.takeStored();
            if (stored[0].length == 0 && !taken.lost()) {
              blocks.decide();
              decided = true;
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
        failure = e; // not one of the heap's
        throw new Stopped();
      }
    }

    /** Sets what transactions and the allocator report from now on. */
    private void end() {
      transactions.dropSnapshot();
      if (growth != null) {
        growth.reset(capacity);
      }
      if (doomed == null) {
        return;
      }
      unfinished = complete ? null : decided ? doomed : before;
      follow(unfinished);
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
