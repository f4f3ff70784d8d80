package io.everheap.log;

import io.everheap.error.EverheapException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sleep of a virtual thread until what it wrote to a log is durable here and on enough copies,
 * or cannot be so: what the outcome is, it asks log and copies afterwards. It is woken once, and
 * its sync is made by another thread: to be woken by each of the two costs it as much as the write,
 * and a sync occupies the thread that carries it.
 */
public final class CopiedWrite {
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final Thread thread = Thread.currentThread();
  private final RemoteCopies remote;
  private final LongSupplier durable;
  private volatile long end = UNKNOWN;
  private volatile boolean done;

  /**
   * Creates it for the calling thread.
   *
   * @param durable the LSN up to which the log is durable, or behind what was written
   */
  public CopiedWrite(RemoteCopies remote, LongSupplier durable) {
    this.remote = remote;
    this.durable = durable;
  }

  /** Whether to wait like this: for copies that are wanted, and in a virtual thread. */
  public static boolean suits(RemoteCopies remote) {
    return remote.wanted() && Thread.currentThread().isVirtual();
  }

  /**
   * Waits, perhaps for nothing if it cannot be so; an interrupt does not end it and is kept.
   *
   * @param whenDurable runs an action when what was written is durable here, or cannot be so
   */
  public void await(Consumer<Consumer<@Nullable EverheapException>> whenDurable) {
    whenDurable.accept(this::durable);
    boolean interrupted = false;
    try {
      while (!done) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The LSN for which it waited: what the log had durable at the end of the sync. */
  public long end() {
    long waited = end;
    return waited == UNKNOWN ? durable.getAsLong() : waited;
  }

  /**
   * Called by the thread that syncs. An error of the virtual machine does not become one of the
   * log: the thread that waits is woken, and waits for the copies by itself.
   */
  private void durable(@Nullable EverheapException failure) {
    boolean registered = false;
    try {
      if (failure == null) {
        end = durable.getAsLong();
        remote.whenCopied(end, missing -> wake());
        registered = true;
      }
    } catch (VirtualMachineError e) {
      // Not registered, or perhaps: then it is woken twice.
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
