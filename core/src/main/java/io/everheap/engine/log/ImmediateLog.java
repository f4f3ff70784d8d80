package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.log.GroupCommit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log in which every part is durable, as far as the medium allows, when it is appended. So no
 * thread ever waits.
 */
abstract class ImmediateLog extends Log {
  private final GroupCommit.Refusals refusals;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean closed;

  /** Stored with release: a full fence would cost as much as the rest of the append. */
  private final AtomicLong durable;

  private long appended; // the writer's copy of durable

  ImmediateLog(String location, PartSealer sealer, long startLsn) {
    super(sealer);
    this.refusals = refusals(location);
    this.durable = new AtomicLong(startLsn);
    this.appended = startLsn;
  }

  /** The LSN of the next part; called by the writer. */
  final long lsn() {
    return appended;
  }

  /** Publishes a complete part or pad of this length; returns the LSN behind it. */
  final long publish(int length) {
    appended += length;
    durable.setRelease(appended);
    return appended;
  }

  /** Throws if the log is closed or has failed. */
  final void check() {
    if (closed || failure.get() != null) {
      throw closed ? refusals.closed() : refusals.poisoned(failure.get());
    }
  }

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public void begin() {}

  @Override
  public void recycleOld() {}

  @Override
  public long used() {
    return 0;
  }

  @Override
  public final long appended() {
    return durable.getAcquire();
  }

  @Override
  public final long durable() {
    return durable.getAcquire();
  }

  @Override
  public final void awaitDurable(long lsn) {
    if (durable() < lsn) {
      check();
      throw new IllegalArgumentException("LSN " + lsn + " is beyond " + durable());
    }
  }

  @Override
  public final void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    action.accept(durable() >= lsn ? null : refusals.poisoned(failure.get()));
  }

  @Override
  public final void poison(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  @Override
  public final @Nullable Throwable failure() {
    return failure.get();
  }

  @Override
  public void close() {
    closed = true;
  }
}
