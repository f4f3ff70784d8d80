package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log on media whose stores can be forced: parts are built in the mapped segment at their
 * place, and forced when they are closed. Everything appended is durable.
 */
final class DirectLog extends Log {
  private final String location;
  private final LogOptions options;
  private final UUID uuid;
  private final long epoch;
  private final SegmentPool pool;
  private final LogSpace space;
  private final PartSealer sealer;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Segment segment;
  private Region region;
  private boolean begun;
  private volatile boolean closed;

  /** Stored with release: a full fence would cost as much as the rest of the append. */
  private final AtomicLong durable;

  private final AtomicLong remaining = new AtomicLong();
  private long appended; // what the writer knows of durable
  private int open = -1; // room of the open part
  private int position; // behind the last part in the segment

  DirectLog(
      Medium medium,
      LogOptions options,
      UUID uuid,
      long epoch,
      long startLsn,
      int chain,
      Set<String> keep) {
    this.location = medium.location();
    this.options = options;
    this.uuid = uuid;
    this.epoch = epoch;
    this.durable = new AtomicLong(startLsn);
    this.appended = startLsn;
    this.sealer = new PartSealer(RecordLayout.key(uuid, epoch), chain);
    this.pool = new SegmentPool(medium, options, true, keep);
    try {
      pool.requireReady();
      this.segment = pool.roll(startLsn);
      this.region = segment.region();
      writeHeader();
    } catch (Throwable t) {
      pool.close();
      throw t;
    }
    long usable = (long) options.segmentSize() - SegmentLayout.START - RecordLayout.MAX_PART;
    this.space =
        new LogSpace(
            pool,
            0,
            Long.MAX_VALUE,
            usable,
            () -> Math.max(0L, remaining() - RecordLayout.MAX_PART));
  }

  @Override
  public boolean prepare() {
    return pool.tryReady();
  }

  @Override
  public void begin() {
    if (begun) {
      throw new IllegalStateException("the epoch has begun");
    }
    pool.begin();
    begun = true;
  }

  @Override
  public void recycleOld() {
    pool.recycleOld();
    if (!begun) {
      begin();
    }
  }

  @Override
  public long old() {
    return pool.oldBytes();
  }

  @Override
  public void reserve(long bytes) {
    check();
    space.reserve(bytes);
  }

  private void check() {
    if (!begun || closed || failure.get() != null) {
      refuse();
    }
  }

  private void refuse() {
    if (closed) {
      throw new HeapClosedException(location);
    }
    if (!begun) {
      throw new IllegalStateException("the epoch has not begun");
    }
    throw new PoisonedException(location, failure.get());
  }

  @Override
  public int openPart(int bytes) {
    if (bytes < RecordLayout.HEADER_SIZE || bytes > RecordLayout.MAX_PART) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    check();
    int room = (int) RecordLayout.alignDirect(bytes);
    if (position + room > segment.size()) {
      roll();
    }
    open = room;
    return 0;
  }

  /** Fills the rest of the segment and goes on in the next one. */
  private void roll() {
    try {
      int rest = segment.size() - position;
      if (rest > 0) {
        sealer.pad(region, position, rest, appended);
        region.force(position, RecordLayout.HEADER_SIZE);
        publish(rest);
      }
      segment = pool.roll(appended);
      region = segment.region();
      writeHeader();
    } catch (Throwable t) {
      poison(t);
      throw t;
    }
  }

  private void writeHeader() {
    ByteBuffer header =
        ByteBuffer.allocate(SegmentLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    new SegmentHeader(
            SegmentLayout.FORMAT_VERSION,
            SegmentLayout.DIRECT,
            uuid,
            epoch,
            segment.sequence(),
            segment.startLsn(),
            segment.size(),
            sealer.chain())
        .encode(header);
    region.copyFrom(0, header.array(), 0, SegmentLayout.HEADER_SIZE);
    region.force(0, SegmentLayout.HEADER_SIZE);
    segment.setHeaderDurable();
    position = SegmentLayout.START;
    remaining.setRelease((long) segment.size() - position);
  }

  @Override
  public long closePart(int length, boolean more) {
    if (length < RecordLayout.HEADER_SIZE || length > open) {
      throw new IllegalArgumentException(length + " bytes in a part of " + open);
    }
    open = -1;
    try {
      int padded = (int) RecordLayout.alignDirect(length);
      sealer.seal(region, position, length, padded, more ? RecordLayout.MORE : 0, appended);
      region.force(position, padded);
      return publish(padded);
    } catch (Throwable t) {
      poison(t);
      throw t;
    }
  }

  private long remaining() {
    return remaining.getAcquire();
  }

  private long publish(int length) {
    position += length;
    remaining.setRelease((long) segment.size() - position);
    appended += length;
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
      check();
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
  public void onFull(Runnable listener) {
    space.onFull(listener);
  }

  @Override
  public boolean isLow() {
    return space.isLow();
  }

  @Override
  public boolean makeSpace() {
    return pool.makeSpace();
  }

  @Override
  public void recycleBelow(long lsn) {
    pool.recycleBelow(lsn);
  }

  @Override
  public void trim() {
    pool.trimToLeast();
  }

  @Override
  public long used() {
    return (long) pool.liveCount() * options.segmentSize() - remaining();
  }

  @Override
  public long limit() {
    return options.limit();
  }

  @Override
  public void close() {
    closed = true;
    pool.close();
  }
}
