package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when checkpoints run: after a recovery, when commits have made one due, and on request.
 * Shuts the {@link Gate} while transactions must wait for a checkpoint. Thread-safe: its fields are
 * final, and checkpoints are serialized by the {@link Checkpointer}.
 */
final class CheckpointSchedule {
  /** Time that is spent on decrypting ahead at once, so that a checkpoint or a close can begin. */
  private static final long DECRYPT_NANOS = 20_000_000;

  private final String location;
  private final @Nullable CheckedPages checked;
  private final LongSupplier allocated;
  private final Log log;
  private final Transactions transactions;
  private final WriterLock lock;
  private final Gate gate;
  private final HeapState state;
  private final Checkpointer checkpointer;
  private final Pressure pressure;
  private final boolean begun;
  private final @Nullable Maintenance maintenance;
  private volatile boolean diskFull; // and no checkpoint completed since
  private volatile boolean failed; // the last checkpoint

  /**
   * Creates a schedule that has not started.
   *
   * @param checked the checksums of a file's pages; null on a byte-addressable medium
   * @param allocated returns the end of the allocated space of the home file
   * @param begun whether the new epoch continues the log of the older ones; if not, the first
   *     checkpoint ends the recovery, and transactions wait for it
   * @param automatic whether a background thread runs checkpoints; if not, callers run them
   */
  CheckpointSchedule(
      String location,
      @Nullable CheckedPages checked,
      LongSupplier allocated,
      Log log,
      Transactions transactions,
      Gate gate,
      HeapState state,
      Checkpointer checkpointer,
      Pressure pressure,
      boolean begun,
      boolean automatic) {
    this.location = location;
    this.checked = checked;
    this.allocated = allocated;
    this.log = log;
    this.transactions = transactions;
    this.lock = transactions.lock;
    this.gate = gate;
    this.state = state;
    this.checkpointer = checkpointer;
    this.pressure = pressure;
    this.begun = begun;
    this.maintenance =
        automatic
            ? new Maintenance(begun ? this::maintain : this::finishRecovery, this::maintain)
            : null;
  }

  /** Starts the background thread, or ends the recovery in this thread. */
  void start() {
    if (!begun) {
      gate.shut(Gate.Reason.RECOVERY);
    }
    if (maintenance != null) {
      maintenance.start();
    } else if (!begun) {
      finishRecovery();
    }
    tend();
  }

  /** Ends the background thread; waits for the checkpoint that it may be running. */
  void stop() {
    if (maintenance != null) {
      maintenance.stop();
    }
  }

  /** The error that ended the background thread, or null. */
  @Nullable Throwable death() {
    return maintenance == null ? null : maintenance.death();
  }

  /** Writes to the home image what recovery accepted; then transactions may begin. */
  private void finishRecovery() {
    try {
      CheckedPages file = checked;
      if (file != null && !file.active()) { // the heap was copied from a byte-addressable medium
        checkpointer.exclusively(() -> file.build(0, allocated.getAsLong()));
      }
      checkpointer.checkpoint();
      gate.open(Gate.Reason.RECOVERY);
    } catch (EverheapException e) {
      if (state.isOurs()) {
        gate.refuse(false, () -> e);
      }
    } catch (RuntimeException | Error e) {
      if (lock.broken == null) {
        lock.broken = e; // a store first: a call may fail in this state
      }
      state.fail(e);
    }
  }

  /** Runs a checkpoint now, in this thread. */
  void checkpoint() {
    run();
    pressure.relieved();
    if (!pressure.high()) {
      gate.open(Gate.Reason.PRESSURE);
    }
  }

  /**
   * Runs a checkpoint. The first one after a recovery finds out whether the pages that the log
   * changes are sound; if not, the heap refuses further transactions.
   */
  private void run() {
    try {
      checkpointer.checkpoint();
      diskFull = false;
      failed = false;
    } catch (CorruptException e) {
      if (log.old() > 0) {
        gate.refuse(false, () -> e); // the heap was damaged already when it was opened
      }
      throw e;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    } finally {
      pressure.ran();
    }
  }

  /**
   * Called once per second: of an encrypted heap, also loads take memory, and make work; and other
   * heaps of the process may need memory that this one has.
   */
  void tend() {
    pressure.exchange();
    if (checkpointer.mayDecrypt(pressure.fits()) || (checkpointer.decrypts() && pressure.due())) {
      request();
    } else {
      loaded();
    }
  }

  /** Called when loads took memory. */
  void loaded() {
    if (!diskFull && !failed && pressure.crowded()) {
      request();
    }
  }

  private void maintain() {
    try {
      if (checkpointer.mayDecrypt(pressure.fits()) && !isDue()) {
        checkpointer.decryptAhead(DECRYPT_NANOS);
        tend(); // until all is decrypted
      }
      if (!diskFull && !isDue() && (!log.isLow() || log.ensureSpace())) {
        pressure.relieved();
        gate.open(Gate.Reason.PRESSURE); // no checkpoint is needed, or none any more
        return;
      }
      run();
      checkpointer.releasePrivatePages(pressure.keepResident());
      pressure.relieved();
      if (pressure.high()) {
        request();
      } else {
        gate.open(Gate.Reason.PRESSURE);
      }
    } catch (EverheapException e) {
      failed = true;
      if (state.isOurs()) {
        pressure.relieved();
        gate.failPressure(e);
        EngineLogger.get()
            .log(System.Logger.Level.WARNING, "checkpoint of " + location + " failed", e);
      }
    } catch (RuntimeException | Error e) {
      if (lock.broken == null) {
        lock.broken = e; // a store first: a call may fail in this state
      }
      state.fail(e);
    }
  }

  private boolean isDue() {
    return pressure.high() || (maintenance != null && pressure.due());
  }

  /** Called after each commit with the writer lock held; neither waits nor throws. */
  void committed(long lsn) {
    switch (pressure.after(lsn)) {
      case NONE -> {}
      case CHECKPOINT -> request();
      case WAIT -> shutGate();
    }
  }

  /** A record did not fit on the disk: only what a checkpoint frees can make room for it. */
  void diskIsFull() {
    diskFull = true;
    shutGate();
  }

  /** Makes the next transactions wait for a checkpoint, and requests it. */
  private void shutGate() {
    gate.shut(Gate.Reason.PRESSURE);
    request();
  }

  private void request() {
    if (maintenance != null) {
      maintenance.request();
    }
  }

  /**
   * Requests the checkpoint for which transactions wait, or runs it if there is no thread. If
   * segments are all that may be missing, this thread creates them at once, because a running
   * checkpoint may take seconds.
   */
  void relieve() {
    if (maintenance == null) {
      maintain();
    } else if (!diskFull && !pressure.high() && hasSegments() && !pressure.high()) {
      gate.open(Gate.Reason.PRESSURE);
    } else {
      request();
    }
  }

  private boolean hasSegments() {
    try {
      return log.ensureSpace();
    } catch (EverheapException e) {
      return false; // the checkpoint frees some, or fails with the same
    }
  }
}
