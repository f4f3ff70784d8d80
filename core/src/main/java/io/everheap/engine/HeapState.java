package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.PoisonedException;
import io.everheap.memory.Medium;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a heap can be used. A failure after which nothing is known of what is durable
 * <em>poisons</em> it: nothing is read or written until it is opened again. The first cause is
 * {@link WriterLock#broken}, which a store sets where no call can be made; so each use completes
 * what such a store began, and goes on with what an error of the virtual machine cut short.
 * Thread-safe.
 */
final class HeapState {

  private final Medium medium;
  private final Home home;
  private final SuperblockStore superblocks;
  private final Log log;
  private final WriterLock lock;
  private final Gate gate;
  private final Signals signals;
  private volatile boolean complete;

  /** Made before it is needed: then there may be no memory for it. */
  final Supplier<RuntimeException> whyPoisoned = this::poisoned;

  HeapState(
      Medium medium,
      Home home,
      SuperblockStore superblocks,
      Log log,
      WriterLock lock,
      Gate gate,
      Signals signals) {
    this.medium = medium;
    this.home = home;
    this.superblocks = superblocks;
    this.log = log;
    this.lock = lock;
    this.gate = gate;
    this.signals = signals;
  }

  boolean isPoisoned() {
    return lock.broken != null;
  }

  /** The exception for a caller of a poisoned heap. */
  PoisonedException poisoned() {
    return new PoisonedException(medium.location(), lock.broken);
  }

  /** Throws if the heap was closed or poisoned; then reads are refused as well. */
  void requireUsable() {
    complete();
    throwIfPresent(gate.readRefusal());
  }

  /** Throws if no transaction may ever begin again. */
  void requireWritable() {
    complete();
    throwIfPresent(gate.refusal());
  }

  private static void throwIfPresent(@Nullable RuntimeException refusal) {
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Whether the files are still those of this heap; if not, it is poisoned. */
  boolean isOurs() {
    try {
      superblocks.check();
      return true;
    } catch (EverheapException e) {
      return false;
    }
  }

  /** Poisons the heap, and explains a load or store of memory that failed. */
  void fail(Throwable cause) {
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
            + medium.location()
            + ": the file was cut off, or the device failed or is full",
        fault);
  }

  /** Poisons the heap; the first cause stays. */
  void poison(Throwable cause) {
    if (lock.broken == null) {
      lock.broken = cause;
    }
    complete();
  }

  /** Completes the poisoning if there is a cause. */
  void complete() {
    Throwable cause = lock.broken;
    if (cause == null || complete) {
      return;
    }
    superblocks.poison(cause); // a checkpoint may be under way
    log.poison(cause);
    gate.refuse(true, whyPoisoned);
    signals.wakeEverybody();
    try {
      home.unmap(whyPoisoned);
    } catch (RuntimeException e) {
      System.getLogger("io.everheap")
          .log(System.Logger.Level.DEBUG, "an extent was in use while poisoned", e);
    }
    complete = true;
  }
}
