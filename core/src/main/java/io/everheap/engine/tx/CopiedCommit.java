package io.everheap.engine.tx;

import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.log.RemoteCopies;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that waits until its commit is durable here and on enough copies. It is woken
 * once, and its sync is made by another thread: to be woken by each of the two costs it as much as
 * the commit, and a sync occupies the thread that carries it.
 */
final class CopiedCommit {
  private final Thread thread = Thread.currentThread();
  private final Log log;
  private final RemoteCopies remote;
  private final long lsn;
  private volatile boolean again;
  private volatile boolean done;

  CopiedCommit(Log log, RemoteCopies remote, long lsn) {
    this.log = log;
    this.remote = remote;
    this.lsn = lsn;
  }

  /**
   * Waits; an interrupt does not end the wait and is kept.
   *
   * @throws io.everheap.error.ReplicationException if too few copies will have it; it is durable
   *     here
   * @throws io.everheap.error.PoisonedException if it may not be durable here
   */
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
    if (again) {
      log.awaitDurable(lsn);
      remote.await(lsn);
    }
  }

  /** Called by the thread that syncs; what fails there, this thread learns by itself. */
  private void durable(@Nullable EverheapException failure) {
    boolean registered = false;
    try {
      if (failure == null) {
        remote.whenCopied(lsn, this::copied);
        registered = true;
      }
    } finally {
      if (!registered) {
        end(false);
      }
    }
  }

  private void copied(@Nullable EverheapException failure) {
    end(failure == null);
  }

  private void end(boolean copied) {
    if (!copied) {
      again = true;
    }
    done = true;
    LockSupport.unpark(thread);
  }
}
