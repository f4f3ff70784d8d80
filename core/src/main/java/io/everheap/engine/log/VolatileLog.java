package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log of a heap that does not outlive its process: counts, and keeps no bytes. */
final class VolatileLog extends Log {
  private static final String SCRATCH = "scratch";

  private final String location;
  private final long limit;
  private final Region region;
  private final PartSealer sealer;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean closed;

  /** Stored with release: a full fence would cost as much as the rest of the append. */
  private final AtomicLong durable;

  private long appended; // what the writer knows of durable
  private int open = -1;

  VolatileLog(Medium medium, LogOptions options, UUID uuid, long epoch, long startLsn, int chain) {
    this.location = medium.location();
    this.limit = options.limit();
    this.durable = new AtomicLong(startLsn);
    this.appended = startLsn;
    this.sealer = new PartSealer(RecordLayout.key(uuid, epoch), chain);
    if (medium.exists(SCRATCH)) {
      medium.delete(SCRATCH);
    }
    try (MediumFile file = medium.create(SCRATCH)) {
      this.region = file.map(Mapping.SHARED, 0, RecordLayout.MAX_PART);
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
  public void reserve(long bytes) {
    if (closed) {
      throw new HeapClosedException(location);
    }
    if (failure.get() != null) {
      throw new PoisonedException(location, failure.get());
    }
  }

  @Override
  public int openPart(int bytes) {
    if (bytes < RecordLayout.HEADER_SIZE || bytes > RecordLayout.MAX_PART) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    open = (int) RecordLayout.align(bytes);
    return 0;
  }

  @Override
  public long closePart(int length, boolean more) {
    if (length < RecordLayout.HEADER_SIZE || length > open) {
      throw new IllegalArgumentException(length + " bytes in a part of " + open);
    }
    open = -1;
    int padded = (int) RecordLayout.align(length);
    sealer.seal(region, 0, length, padded, more ? RecordLayout.MORE : 0, appended);
    appended += padded;
    durable.setRelease(appended);
    return appended;
  }

  @Override
  public PartBuffer buffer() {
    return sealer.buffer();
  }

  @Override
  public long appended() {
    return durable.getAcquire();
  }

  @Override
  public long durable() {
    return durable.getAcquire();
  }

  @Override
  public int chain() {
    return sealer.chain();
  }

  @Override
  public void awaitDurable(long lsn) {
    if (durable() < lsn) {
      reserve(0);
      throw new IllegalArgumentException("LSN " + lsn + " is beyond " + durable());
    }
  }

  @Override
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    action.accept(durable() >= lsn ? null : new PoisonedException(location, failure.get()));
  }

  @Override
  public void requestSync() {}

  @Override
  public void poison(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  @Override
  public @Nullable Throwable failure() {
    return failure.get();
  }

  @Override
  public void recycleBelow(long lsn) {}

  @Override
  public long used() {
    return 0;
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public void close() {
    closed = true;
    region.close();
  }
}
