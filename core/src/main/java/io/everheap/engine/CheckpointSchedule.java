package io.everheap.engine;

import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.EverheapException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When checkpoints run: after a recovery, when commits have made one due, and when a caller asks.
 * Shuts the {@link Gate} while transactions must wait for one. Thread-safe.
 */
final class CheckpointSchedule {

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

  /**
   * A schedule that has not started.
   *
   * @param checked the pages of a file; none on a byte-addressable medium
   * @param allocated up to where the home file has space
   * @param begun whether the log of older epochs goes on with the new one; else the first
   *     checkpoint ends the recovery, and transactions wait for it
   * @param automatic whether a thread runs checkpoints; else the calling ones do
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

  /** Begins to run checkpoints. */
  void start() {
    if (!begun) {
      gate.shut(Gate.Reason.RECOVERY);
    }
    if (maintenance != null) {
      maintenance.start(); // it asks itself for another checkpoint at times
    } else if (!begun) {
      finishRecovery();
    }
  }

  /** Ends the thread, after the recovery that it may still be finishing. */
  void stop() {
    if (maintenance != null) {
      maintenance.stop();
    }
  }

  /** What the thread died from, or null. */
  @Nullable Throwable death() {
    return maintenance == null ? null : maintenance.death();
  }

  /** Makes durable in the home image what recovery accepted; then transactions may begin. */
  private void finishRecovery() {
    try {
      CheckedPages file = checked;
      if (file != null && !file.active()) { // the heap comes from a byte-addressable medium
        checkpointer.exclusively(() -> file.build(allocated.getAsLong()));
      }
      checkpointer.checkpoint();
      gate.open(Gate.Reason.RECOVERY);
    } catch (EverheapException e) {
      if (state.isOurs()) {
        gate.refuse(false, () -> e);
      }
    } catch (RuntimeException | Error e) {
      if (lock.broken == null) {
        lock.broken = e; // by a store, since the call may fail
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

  /** The first one after a recovery says whether the pages that the log changes are sound. */
  private void run() {
    try {
      checkpointer.checkpoint();
    } catch (CorruptHeapException e) {
      if (log.old() > 0) {
        gate.refuse(false, () -> e); // the heap was damaged when it was opened: add nothing to it
      }
      throw e;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }

  private void maintain() {
    try {
      if (!isDue() && log.isLow() && log.makeSpace()) {
        gate.open(Gate.Reason.PRESSURE); // that was all that was missing
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
      if (state.isOurs()) {
        System.getLogger("io.everheap")
            .log(System.Logger.Level.WARNING, "checkpoint of " + location + " failed", e);
        pressure.relieved();
        gate.failPressure(e);
      }
    } catch (RuntimeException | Error e) {
      if (lock.broken == null) {
        lock.broken = e; // by a store, since the call may fail
      }
      state.fail(e);
    }
  }

  private boolean isDue() {
    return pressure.high() || (maintenance != null && pressure.due());
  }

  /** After a commit, with the writer lock held; neither waits nor throws. */
  void committed(long lsn) {
    switch (pressure.after(lsn)) {
      case NONE -> {}
      case CHECKPOINT -> request();
      case WAIT -> shutGate();
    }
  }

  /** Lets the next transactions wait for a checkpoint. */
  void shutGate() {
    gate.shut(Gate.Reason.PRESSURE);
    request();
  }

  private void request() {
    if (maintenance != null) {
      maintenance.request();
    }
  }

  /**
   * Brings what a waiting transaction needs: asks the thread for a checkpoint, or runs it here. If
   * a segment is all that is missing, it is made at once: the checkpoint that runs may take
   * seconds.
   */
  void relieve() {
    if (maintenance == null) {
      maintain();
    } else {
      request();
      if (!pressure.high() && log.makeSpace() && !pressure.high()) {
        gate.open(Gate.Reason.PRESSURE);
      }
    }
  }
}
