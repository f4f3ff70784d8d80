package io.everheap.engine;

import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
import java.util.function.Consumer;
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

  private final Consumer<Boolean> shut;
  private boolean recovery;
  private boolean pressure;
  private @Nullable RuntimeException refusal;
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

  /** The checkpoint that waiting transactions hope for failed: they fail with it. */
  synchronized void failPressure(RuntimeException cause) {
    pressureFailure = cause;
    notifyAll();
  }

  /**
   * From now on every transaction is refused with this. The first reason stays, unless it left the
   * heap readable and this one does not.
   */
  synchronized void refuse(RuntimeException why) {
    if (refusal == null || (!endsReads(refusal) && endsReads(why))) {
      refusal = why;
    }
    shut.accept(true);
    notifyAll();
  }

  /** The refusal, if there is one. */
  synchronized @Nullable RuntimeException refusal() {
    return refusal;
  }

  /** What reads are refused with, if they are. */
  synchronized @Nullable RuntimeException readRefusal() {
    RuntimeException why = refusal;
    return why != null && endsReads(why) ? why : null;
  }

  private static boolean endsReads(RuntimeException why) {
    return why instanceof HeapClosedException || why instanceof PoisonedException;
  }

  /** Waits until no reason is left; interrupts are kept for later. */
  void await(Runnable relieve) {
    boolean interrupted = false;
    try {
      while (true) {
        boolean wantsRelief;
        synchronized (this) {
          if (refusal != null) {
            throw refusal;
          }
          if (!recovery && !pressure) {
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
              wait();
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
