package io.everheap.engine.tx;

import io.everheap.error.EverheapException;

/** What the engine wants to know of transactions: when one may begin, and what was appended. */
public interface CommitMonitor {
  /**
   * Called without the lock before an outermost transaction begins while the gate is shut: waits
   * until it may begin, or throws why it may not (closed, read-only, poisoned).
   */
  void awaitGate();

  /** Called before a read takes the lock while the gate is shut: throws if nothing can be read. */
  void checkReadable();

  /** Called with the lock held, after each commit was applied. Neither waits nor throws. */
  void committed(long lsn);

  /** Called when the time between append and the end of apply failed: nothing may go on. */
  void poison(Throwable cause);

  /** The exception for a caller of a poisoned heap. */
  EverheapException poisoned();
}
