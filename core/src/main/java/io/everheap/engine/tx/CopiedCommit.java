package io.everheap.engine.tx;

import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.log.RemoteCopies;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sleep of a virtual thread until its commit is durable here and on enough copies, or cannot be
 * so: what the outcome is, it asks log and copies afterwards. It is woken once, and its sync is
 * made by another thread: to be woken by each of the two costs it as much as the commit, and a sync
 * occupies the thread that carries it.
 */
final class CopiedCommit {
  private final Thread thread = Thread.currentThread();
  private final Log log;
  private final RemoteCopies remote;
  private final long lsn;
  private volatile boolean done;

  CopiedCommit(Log log, RemoteCopies remote, long lsn) {
    this.log = log;
    this.remote = remote;
    this.lsn = lsn;
  }

  /** Waits, perhaps for nothing if it cannot be so; an interrupt does not end it and is kept. */
  void await() {
    log.whenDurable(lsn, this::durable);
    boolean interrupted = false;
    while (!done) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Called by the thread that syncs. */
  private void durable(@Nullable EverheapException failure) {
    boolean registered = false;
    try {
      if (failure == null) {
        remote.whenCopied(lsn, missing -> wake());
        registered = true;
      }
    } finally {
      if (!registered) {
        wake();
      }
    }
  }

  private void wake() {
    done = true;
    LockSupport.unpark(thread);
  }
}
