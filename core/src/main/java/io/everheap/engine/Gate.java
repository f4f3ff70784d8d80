package io.everheap.engine;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Why no transaction may begin right now. A wait ends when the reason goes; a refusal is for good.
 */
final class Gate {
  /** What a transaction waits for. */
  enum Reason {
    /** Recovery has not made durable what it accepted. */
    RECOVERY,
    /** The log or the private pages are near their bound, and a checkpoint is on its way. */
    PRESSURE
  }

  /** An error of the virtual machine can keep a thread from waking those that wait. */
  private static final long LOOK_AFTER_MILLIS = 200;

  private final Consumer<Boolean> shut;
  private boolean recovery;
  private boolean pressure;
  private @Nullable Supplier<? extends RuntimeException> refusal;
  private boolean endsReads; // the refusal, reads as well
  private @Nullable RuntimeException pressureFailure;

  /**
   * An open gate.
   *
   * @param shut told whether anything stands in the way, before and after each change
   */
  Gate(Consumer<Boolean> shut) {
    this.shut = shut;
  }

  synchronized void shut(Reason reason) {
    set(reason, true);
    shut.accept(true);
  }

  synchronized void open(Reason reason) {
    set(reason, false);
    pressureFailure = null;
    shut.accept(recovery || pressure || refusal != null);
    notifyAll();
  }

  /** The checkpoint that waiting transactions need failed: they fail with it. */
  synchronized void failPressure(RuntimeException cause) {
    pressureFailure = cause;
    notifyAll();
  }

  /**
   * From now on every transaction is refused, each with an exception of its own. The first reason
   * stays, unless it left the heap readable and this one does not.
   *
   * @param reads whether reads are refused as well
   */
  synchronized void refuse(boolean reads, Supplier<? extends RuntimeException> why) {
    if (refusal == null || (reads && !endsReads)) {
      refusal = why;
      endsReads = reads;
    }
    shut.accept(true);
    notifyAll();
  }

  /** Whether every transaction is refused. */
  synchronized boolean refuses() {
    return refusal != null;
  }

  /** The refusal for a caller, with the caller's stack trace, if there is one. */
  synchronized @Nullable RuntimeException refusal() {
    return refusal == null ? null : refusal.get();
  }

  /** What reads are refused with, if they are. */
  synchronized @Nullable RuntimeException readRefusal() {
    return endsReads ? refusal() : null;
  }

  /**
   * Waits until no reason is left; interrupts are kept for later.
   *
   * @param look runs before each look at the gate
   * @param relieve asks for what ends the wait
   */
  void await(Runnable look, Runnable relieve) {
    boolean interrupted = false;
    try {
      while (true) {
        look.run();
        boolean wantsRelief;
        synchronized (this) {
          if (refusal != null) {
            throw refusal.get();
          }
          if (!recovery && !pressure) {
            shut.accept(false); // an error may have ended the opening of the gate before that
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
            pressureFailure = null; // the next one asks for another try
            throw failure;
          }
          if (refusal == null && (recovery || pressure)) {
            try {
              wait(LOOK_AFTER_MILLIS);
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
