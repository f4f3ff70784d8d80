package io.everheap.engine;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds back transactions that are about to begin: makes them wait while a {@link Reason} is set,
 * or refuses them for good. Thread-safe; its monitor guards all fields.
 */
final class Gate {
  /** A reason for which transactions wait. */
  enum Reason {
    /** The checkpoint that ends the recovery has not completed. */
    RECOVERY,
    /** The log or the private pages are near their limit, and a checkpoint is requested. */
    PRESSURE
  }

  /**
   * Waiting threads check again periodically: an error of the virtual machine may lose a wake-up.
   */
  private static final long RECHECK_MILLIS = 200;

  private final Consumer<Boolean> onChange;
  private boolean recovery;
  private boolean pressure;
  private @Nullable Supplier<? extends RuntimeException> refusal;
  private boolean endsReads; // whether the refusal is for reads as well
  private @Nullable RuntimeException pressureFailure;

  /**
   * Creates an open gate.
   *
   * @param onChange called with the gate's monitor held after each change, and before each return
   *     of {@link #await}: true while transactions must call {@link #await} before they begin
   */
  Gate(Consumer<Boolean> onChange) {
    this.onChange = onChange;
  }

  /** Whether transactions wait for a reason; a refusal is none. */
  synchronized boolean holdsBack() {
    return recovery || pressure;
  }

  synchronized void shut(Reason reason) {
    set(reason, true);
    onChange.accept(true);
  }

  synchronized void open(Reason reason) {
    set(reason, false);
    pressureFailure = null;
    onChange.accept(recovery || pressure || refusal != null);
    notifyAll();
  }

  /** Reports that the checkpoint failed for which transactions wait: one of them throws this. */
  synchronized void failPressure(RuntimeException cause) {
    pressureFailure = cause;
    notifyAll();
  }

  /**
   * Refuses every transaction from now on, each with a new exception. The first refusal stays,
   * unless it is for transactions only and this one is for reads as well.
   *
   * @param reads whether reads are refused as well
   */
  synchronized void refuse(boolean reads, Supplier<? extends RuntimeException> why) {
    if (refusal == null || (reads && !endsReads)) {
      refusal = why;
      endsReads = reads;
    }
    onChange.accept(true);
    notifyAll();
  }

  /** Whether every transaction is refused. */
  synchronized boolean refuses() {
    return refusal != null;
  }

  /** A new exception of the refusal, or null if transactions are not refused. */
  synchronized @Nullable RuntimeException refusal() {
    return refusal == null ? null : refusal.get();
  }

  /** A new exception of the refusal, or null if reads are not refused. */
  synchronized @Nullable RuntimeException readRefusal() {
    return endsReads ? refusal() : null;
  }

  /**
   * Waits until no reason is set. An interrupt does not end the wait, and is kept.
   *
   * @param check called, without the monitor, each time before the gate is tested
   * @param relieve called, without the monitor, to request the checkpoint that ends the wait
   */
  void await(Runnable check, Runnable relieve) {
    boolean interrupted = false;
    try {
      while (true) {
        check.run();
        boolean wantsRelief;
        synchronized (this) {
          if (refusal != null) {
            throw refusal.get();
          }
          if (!recovery && !pressure) {
            onChange.accept(false); // again: an error may have interrupted open()
            return;
          }
          wantsRelief = pressure && pressureFailure == null;
        }
        if (wantsRelief) {
          relieve.run();
        }
        synchronized (this) {
          if (pressure && pressureFailure != null) {
            RuntimeException failure = pressureFailure;
            pressureFailure = null; // the next transaction requests another checkpoint
            throw failure;
          }
          if (refusal == null && (recovery || pressure)) {
            try {
              wait(RECHECK_MILLIS);
            } catch (InterruptedException e) {
              interrupted = true;
            }
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void set(Reason reason, boolean value) {
    if (reason == Reason.RECOVERY) {
      recovery = value;
    } else {
      pressure = value;
    }
  }
}
