package io.everheap.journal;

import io.everheap.memory.BriefLock;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The place of the next record, to be filled without a copy. No other thread can append until it is
 * {@linkplain #commit committed} or {@linkplain #abort aborted}, so do that soon:
 *
 * <pre>{@code
 * try (Claim claim = journal.claim(16)) {
 *   claim.memory().set(ValueLayout.JAVA_LONG, 0, account);
 *   claim.memory().set(ValueLayout.JAVA_LONG, 8, amount);
 *   claim.commit();
 * }
 * }</pre>
 *
 * <p>A claim that is open when the journal is closed ends with it: nothing is appended.
 *
 * <p>Not thread-safe. The memory is the journal's own: after the commit it must not be stored to.
 *
 * @since 0.9
 */
@Stable
public final class Claim implements AutoCloseable {
  /** The journal that gave the claim. */
  interface Owner {
    long commit(Claim claim);

    void abort(Claim claim);

    RuntimeException closed();
  }

  private static final int OPEN = 0;
  private static final int ENDED = 1;
  private static final int REVOKED = 2;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Claim.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Owner owner;
  private final Thread thread = Thread.currentThread();
  private final MemorySegment memory;
  private final int flags;
  private final long offset;
  private final BriefLock lock;
  boolean holdsLock = true; // until the owner releases it; used by the thread of the claim
  private volatile int state; // changed from OPEN with the append lock held

  Claim(Owner owner, BriefLock lock, MemorySegment memory, int flags, long offset) {
    this.owner = owner;
    this.lock = lock;
    this.memory = memory;
    this.flags = flags;
    this.offset = offset;
  }

  /**
   * Returns where to store the record. It may hold any bytes at first. Its address is a multiple of
   * 8.
   *
   * @return memory of the claimed length
   */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Appends the record, with the durability of {@link Journal#append(byte[])}.
   *
   * @return its sequence
   * @throws IllegalStateException if the claim ended before
   * @throws io.everheap.error.ClosedException if the journal was closed meanwhile
   */
  public long commit() {
    if (!end(ENDED)) {
      throw state == REVOKED ? owner.closed() : endedBefore();
    }
    try {
      return owner.commit(this);
    } finally {
      if (holdsLock) { // the call failed: the stack is exhausted
        holdsLock = false;
        lock.state = BriefLock.FREE;
      }
    }
  }

  /**
   * Aborts the claim: nothing is appended.
   *
   * @throws IllegalStateException if the claim was committed or aborted before
   */
  public void abort() {
    if (state == ENDED) {
      throw endedBefore();
    }
    close();
  }

  /** Aborts unless the claim was committed or aborted. */
  @Override
  public void close() {
    boolean done = false;
    try {
      if (end(ENDED)) {
        owner.abort(this);
      }
      done = true;
    } finally {
      if (!done && holdsLock && state != REVOKED) { // a call failed: the stack is exhausted
        state = ENDED;
        holdsLock = false;
        lock.state = BriefLock.FREE;
      }
    }
  }

  /** Whether it is neither committed nor aborted. */
  boolean isOpen() {
    return state == OPEN;
  }

  /** Aborts the claim for its owner, which releases the append lock; false if it ended before. */
  boolean revoke() {
    if (!end(REVOKED)) {
      return false;
    }
    try {
      owner.abort(this);
    } finally {
      if (holdsLock) { // the call failed: the stack is exhausted
        holdsLock = false;
        lock.state = BriefLock.FREE;
      }
    }
    return true;
  }

  /** The thread that has the claim. */
  Thread thread() {
    return thread;
  }

  int flags() {
    return flags;
  }

  long offset() {
    return offset;
  }

  private boolean end(int how) {
    return STATE.compareAndSet(this, OPEN, how);
  }

  private static IllegalStateException endedBefore() {
    return new IllegalStateException("the claim was committed or aborted before");
  }
}
