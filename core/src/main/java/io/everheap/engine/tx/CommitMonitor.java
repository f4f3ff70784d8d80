package io.everheap.engine.tx;

import io.everheap.error.EverheapException;

/**
 * Callbacks from the transactions to the engine: before a transaction begins, after a commit, and
 * on failures. Called by any thread.
 */
public interface CommitMonitor {
  /**
   * Called without the lock before an outermost transaction begins, if the gate is shut: waits
   * until it may begin, or throws if it may not (closed, read-only, poisoned).
   */
  void awaitGate();

  /** Called before a read if the gate is shut: throws if the heap can not be read. */
  void checkReadable();

  /** Called with the lock held, after each commit was applied. Neither waits nor throws. */
  void committed(long lsn);

  /** Called if a commit failed between its append and the end of its apply: poisons the heap. */
  void poison(Throwable cause);

  /** The exception for a caller of a poisoned heap. */
  EverheapException poisoned();
}
