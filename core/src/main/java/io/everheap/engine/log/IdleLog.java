package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.log.RecordBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log of a heap that is only read: it stands where reading ended and takes no record. */
final class IdleLog extends Log {
  private final long end;
  private final int chain;
  private volatile @Nullable Throwable failure;

  IdleLog(long end, int chain) {
    this.end = end;
    this.chain = chain;
  }

  private static IllegalStateException readOnly() {
    return new IllegalStateException("the log is only read");
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
  public void reserve(long bytes) {
    throw readOnly();
  }

  @Override
  public int openPart(int bytes) {
    throw readOnly();
  }

  @Override
  public RecordBuffer buffer() {
    return new RecordBuffer(0);
  }

  @Override
  public long closePart(int length, boolean more) {
    throw readOnly();
  }

  @Override
  public long appended() {
    return end;
  }

  @Override
  public long durable() {
    return end;
  }

  @Override
  public int chain() {
    return chain;
  }

  @Override
  public void awaitDurable(long lsn) {}

  @Override
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    action.accept(null);
  }

  @Override
  public void poison(Throwable cause) {
    failure = cause;
  }

  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public long used() {
    return 0;
  }

  @Override
  public long limit() {
    return 0;
  }

  @Override
  public void close() {}
}
