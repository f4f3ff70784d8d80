package io.everheap.engine.tx;

import io.everheap.engine.log.Log;
import io.everheap.error.EverheapException;
import io.everheap.error.ReplicationException;
import io.everheap.log.RemoteCopies;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that waits until its commit is durable here and on enough copies. It is woken
 * once, and syncs are made by another thread: to be woken by each of the two costs it as much as
 * the commit, and a sync occupies the thread that carries it.
 */
final class CopiedCommit {
  private final Thread thread = Thread.currentThread();
  private final Log log;
  private final RemoteCopies remote;
  private final long lsn;
  private @Nullable Throwable failure; // written before done
  private volatile boolean done;

  CopiedCommit(Log log, RemoteCopies remote, long lsn) {
    this.log = log;
    this.remote = remote;
    this.lsn = lsn;
  }

  /**
   * Waits; an interrupt does not end the wait and is kept.
   *
   * @throws ReplicationException if too few copies will have it; it is durable here
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
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  private void durable(@Nullable EverheapException why) {
    if (why == null) {
      try {
        remote.whenCopied(lsn, this::copied);
      } catch (RuntimeException | Error e) { // it has no memory: the thread must not wait for ever
        end(e);
      }
    } else {
      end(why);
    }
  }

  private void copied(@Nullable EverheapException why) {
    end(why == null ? null : new ReplicationException(String.valueOf(why.getMessage()), why));
  }

  private void end(@Nullable Throwable why) {
    failure = why;
    done = true;
    LockSupport.unpark(thread);
  }
}
