package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.engine.home.Home;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Medium;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a heap can be used. A failure after which it is unknown what is durable <em>poisons</em>
 * the heap: nothing is read or written until it is opened again. The first cause is in {@link
 * WriterLock#broken}, which is set by a plain store where a call might fail; so each use first
 * completes a poisoning that such a store began, or that an error of the virtual machine
 * interrupted. Thread-safe: completing it twice, in two threads, has the same effect as once.
 */
final class HeapState {

  private final Medium medium;
  private final Home home;
  private final SuperblockStore superblocks;
  private final Log log;
  private final WriterLock lock;
  private final Gate gate;
  private final Signals signals;
  private volatile boolean poisoningComplete;

  /** Created in advance, because a poisoned heap may have no memory for it. */
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
  StoppedException poisoned() {
    return StoppedException.heap(medium.location(), lock.broken);
  }

  /** Throws if the heap is closed or stopped, so that not even reads are possible. */
  void requireUsable() {
    completePoisoning();
    throwIfPresent(gate.readRefusal());
  }

  /** Throws if transactions are refused: the heap is closed, poisoned or read-only. */
  void requireWritable() {
    completePoisoning();
    throwIfPresent(gate.refusal());
  }

  private static void throwIfPresent(@Nullable RuntimeException refusal) {
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Whether the files are unchanged by others; if not, this poisons the heap. */
  boolean isOurs() {
    try {
      superblocks.check();
      return true;
    } catch (EverheapException e) {
      return false;
    }
  }

  /** Poisons the heap; replaces the error of a failed load or store by one that explains it. */
  void fail(Throwable cause) {
    Throwable why = cause instanceof InternalError fault ? explain(fault) : cause;
    if (cause.equals(lock.broken)) {
      lock.broken = why;
    }
    poison(why);
  }

  /** Explains a fault of mapped memory: the file was truncated, or the device failed or is full. */
  private EverheapException explain(InternalError fault) {
    try {
      superblocks.requireOurs();
    } catch (EverheapException e) {
      e.addSuppressed(fault);
      return e;
    }
    return MappedFaults.explain(medium, fault);
  }

  /** Poisons the heap; the first cause stays. */
  void poison(Throwable cause) {
    if (lock.broken == null) {
      lock.broken = cause;
    }
    completePoisoning();
  }

  /** Completes the poisoning if there is a cause. */
  void completePoisoning() {
    Throwable cause = lock.broken;
    if (cause == null || poisoningComplete) {
      return;
    }
    superblocks.poison(cause); // first: a checkpoint may be running
    log.poison(cause);
    gate.refuse(true, whyPoisoned);
    signals.end();
    try {
      home.unmap(whyPoisoned);
    } catch (RuntimeException e) {
      EngineLogger.get()
          .log(System.Logger.Level.DEBUG, "an extent was in use while the heap stopped", e);
    }
    poisoningComplete = true;
  }
}
