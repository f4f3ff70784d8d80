package io.everheap.engine.log;

import io.everheap.engine.event.Recording;
import io.everheap.engine.event.SyncEvent;
import io.everheap.error.EverheapException;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import io.everheap.memory.log.GroupCommit;
import io.everheap.memory.log.LogTimer;
import io.everheap.memory.log.SyncAge;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log on files: parts are built in the ring, so that a commit costs a memory copy and a killed
 * process loses nothing; the leader of the group commit copies them to segments in batches.
 *
 * <pre>
 *   ring      |....durable parts, room....|--- being written ---|--- appended ---|....room....|
 *                                         ^ durable                              ^ appended
 *   segments  |header|batch|batch| ...
 * </pre>
 */
final class RingLog extends Log {
  private static final VarHandle APPENDED;

  static {
    try {
      APPENDED = MethodHandles.lookup().findVarHandle(RingLog.class, "appended", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Bytes at the end of a segment that stay unused when the next part does not fit. */
  private static final long TAIL =
      SegmentLayout.alignToBlock(BatchLayout.HEADER_SIZE + RecordLayout.MAX_PART)
          + SegmentLayout.BLOCK;

  private final Medium medium;
  private final LogOptions options;
  private final UUID uuid;
  private final long epoch;
  private final int capacity;
  private final int mask;
  private final SegmentPool pool;
  private final BatchWriter batches;
  private final GroupCommit group;
  private final LogSpace space;
  private final PartSealer sealer;
  private final LogTimer timer;
  private final @Nullable SyncAge age;

  private @Nullable Region ring;
  private @Nullable RingView parts;
  private long appended; // released after each part
  private int open = -1; // room of the open part
  private int position; // of the open part in the ring file
  private volatile long lastSync; // how long the last write took, in nanoseconds
  private long roomEnd; // parts may be written up to this LSN

  RingLog(
      Medium medium,
      LogOptions options,
      UUID uuid,
      long epoch,
      long startLsn,
      int chain,
      Set<String> keep) {
    this.medium = medium;
    this.options = options;
    this.uuid = uuid;
    this.epoch = epoch;
    this.capacity = options.ringSize();
    this.mask = capacity - 1;
    this.appended = startLsn;
    this.roomEnd = startLsn + capacity;
    this.sealer = new PartSealer(RecordLayout.key(uuid, epoch), chain);
    this.group = new GroupCommit(medium.location(), startLsn, this::writeBatch);
    this.timer =
        new LogTimer(
            () -> awaitDurable(appended()),
            options.intervalNanos(),
            medium.location(),
            group::fail);
    this.age =
        options.intervalNanos() == 0
            ? null
            : new SyncAge(options.intervalNanos(), startLsn, System::nanoTime);
    this.pool = new SegmentPool(medium, options, false, keep);
    try {
      pool.requireReady();
      this.batches = BatchWriter.start(pool, uuid, epoch, startLsn, chain);
    } catch (Throwable t) {
      pool.close();
      throw t;
    }
    long usable = options.segmentSize() - SegmentLayout.START - TAIL;
    this.space =
        new LogSpace(
            pool, BatchWriter.OVERHEAD, capacity - RecordLayout.MAX_PART, usable, this::left);
  }

  @Override
  public boolean prepare() {
    return RingFile.isThere(medium, capacity) // else the old one may still be needed
        && pool.tryReady();
  }

  @Override
  public void begin() {
    if (ring != null) {
      throw new IllegalStateException("the epoch has begun");
    }
    resetRing();
    startThreads();
  }

  @Override
  public void recycleOld() {
    if (ring != null) {
      pool.recycleOld();
      return;
    }
    resetRing();
    pool.recycleOld(); // on a full disk one of them is the spare one
    startThreads();
  }

  private void resetRing() {
    Region mapped = RingFile.reset(medium, capacity, uuid, epoch);
    parts = new RingView(mapped.segment(), RingLayout.DATA, 0, capacity);
    ring = mapped;
  }

  private void startThreads() {
    pool.begin();
    if (age != null) {
      timer.start();
    }
  }

  @Override
  public long old() {
    return pool.oldBytes();
  }

  @Override
  public void reserve(long bytes) {
    group.check();
    if (ring == null) {
      throw new IllegalStateException("the epoch has not begun");
    }
    Throwable death = timer.death();
    if (death != null) {
      group.fail(death);
      group.check();
    }
    long durable = group.durable();
    while (overdue(durable)) {
      group.await(durable + 1);
      durable = group.durable();
    }
    space.reserve(bytes);
  }

  /** Whether the oldest record that is not durable is older than asked for, plus one sync. */
  private boolean overdue(long durable) {
    SyncAge limit = age;
    return (limit != null && limit.overdue(appended, durable))
        || (durable < appended && timer.late(lastSync));
  }

  /** What certainly still fits into the segment in use, once everything appended is written. */
  private long left() {
    long durable = group.durable(); // first: what is written in between counts twice, not never
    long undurable = appended - durable;
    int batch = BatchLayout.maxPayload(options.segmentSize()) - RecordLayout.MAX_PART;
    long cost = undurable + (undurable / batch + 2) * BatchWriter.OVERHEAD;
    return Math.max(0, batches.remaining() - TAIL) - cost;
  }

  @Override
  public int openPart(int bytes) {
    if (bytes < RecordLayout.HEADER_SIZE || bytes > RecordLayout.MAX_PART) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    int room = (int) RecordLayout.align(bytes);
    int at = (int) appended & mask;
    if (at + room > capacity) {
      pad(at, capacity - at);
      at = 0;
    }
    if (appended + room > roomEnd) {
      awaitRoom(appended + room);
    }
    open = room;
    position = RingLayout.DATA + at;
    return 0;
  }

  private void pad(int at, int length) {
    if (appended + length > roomEnd) {
      awaitRoom(appended + length);
    }
    sealer.pad(region(), RingLayout.DATA + at, length, appended);
    publish(length);
  }

  private void awaitRoom(long end) {
    group.await(end - capacity);
    roomEnd = group.durable() + capacity;
  }

  @Override
  public long closePart(int length, boolean more) {
    if (length < RecordLayout.HEADER_SIZE || length > open) {
      throw new IllegalArgumentException(length + " bytes in a part of " + open);
    }
    open = -1;
    int flags = more ? RecordLayout.MORE : 0;
    int padded = (int) RecordLayout.align(length);
    sealer.seal(region(), position, length, padded, flags, appended);
    return publish(padded);
  }

  private Region region() {
    Region region = ring;
    if (region == null) {
      throw new IllegalStateException("the epoch has not begun");
    }
    return region;
  }

  private long publish(int length) {
    long end = appended + length;
    APPENDED.setRelease(this, end);
    return end;
  }

  /** By the leader. */
  private long writeBatch(long durable) {
    RingView source = parts;
    if (source == null) {
      throw new IllegalStateException("the epoch has not begun");
    }
    long to = appended();
    SyncAge limit = age;
    if (limit != null) {
      limit.begin(to);
    }
    SyncEvent event = Recording.isOn() ? new SyncEvent() : null;
    if (event != null) {
      event.begin();
    }
    long begin = System.nanoTime();
    long end = batches.write(source, durable, to);
    lastSync = System.nanoTime() - begin;
    if (event != null) {
      event.lsn = end;
      event.bytes = end - durable;
      event.commit();
    }
    if (limit != null) {
      limit.end(lastSync);
    }
    return end;
  }

  @Override
  public PartBuffer buffer() {
    return sealer.buffer();
  }

  @Override
  public long appended() {
    return (long) APPENDED.getAcquire(this);
  }

  @Override
  public long durable() {
    return group.durable();
  }

  @Override
  public int chain() {
    return sealer.chain();
  }

  @Override
  public void awaitDurable(long lsn) {
    if (group.durable() < lsn) {
      requireAppended(lsn);
      group.await(lsn);
    }
  }

  private void requireAppended(long lsn) {
    if (lsn > appended()) {
      throw new IllegalArgumentException("LSN " + lsn + " is beyond " + appended());
    }
  }

  @Override
  public void whenDurable(long lsn, Consumer<@Nullable EverheapException> action) {
    requireAppended(lsn);
    group.whenDurable(lsn, action);
    if (group.durable() < lsn) {
      timer.request();
    }
  }

  @Override
  public void requestSync() {
    timer.request();
  }

  @Override
  public void syncWithin(long nanos) {
    if (group.durable() < appended()) {
      timer.requestWithin(nanos);
    }
  }

  @Override
  public void onFailure(Consumer<Throwable> listener) {
    group.onFailure(listener);
  }

  @Override
  public void poison(Throwable cause) {
    group.poison(cause);
  }

  @Override
  public void look() {
    group.look();
  }

  @Override
  public @Nullable Throwable failure() {
    return group.failure();
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
    long segments = (long) pool.liveCount() * options.segmentSize() - batches.remaining();
    return segments + appended() - group.durable();
  }

  @Override
  public long limit() {
    return options.limit();
  }

  @Override
  public void close() {
    timer.stop();
    group.close();
    pool.close();
    batches.close();
    if (ring != null) {
      ring.close();
    }
  }
}
