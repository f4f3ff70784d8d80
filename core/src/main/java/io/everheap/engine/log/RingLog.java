package io.everheap.engine.log;

import io.everheap.engine.event.Recording;
import io.everheap.engine.event.Recording.SyncEvent;
import io.everheap.error.EverheapException;
import io.everheap.log.GroupCommit;
import io.everheap.log.LogSeed;
import io.everheap.log.LogSync;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log on files: parts are copied to the ring, so that a commit costs a memory copy and a killed
 * process loses nothing; the leader of the group commit writes them to segments in batches. Fields
 * that change are guarded by the writer lock, except that any thread may read {@code appended}.
 *
 * <pre>
 *   ring      |....durable parts, room....|--- being written ---|--- appended ---|....room....|
 *                                         ^ durable                              ^ appended
 *   segments  |header|batch|batch| ...
 * </pre>
 */
final class RingLog extends Log implements LogSync.Target {
  private static final VarHandle APPENDED;

  static {
    try {
      APPENDED = MethodHandles.lookup().findVarHandle(RingLog.class, "appended", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Maximum space at the end of a segment that stays unused if the next part does not fit. */
  private static final long TAIL =
      SegmentLayout.alignToBlock(BatchLayout.HEADER_SIZE + PartLayout.MAX_PART)
          + SegmentLayout.BLOCK;

  private final Medium medium;
  private final LogOptions options;
  private final UUID uuid;
  private final long epoch;
  private final int capacity;
  private final int mask;
  private final SegmentPool pool;
  private final BatchWriter batches;
  private final LogSync sync;
  private final GroupCommit group;
  private final LogSpace space;

  private @Nullable Region ring;
  private @Nullable RingView parts;
  private long appended; // stored with release after each part
  private int position; // of the open part in the ring file
  private long roomEnd; // parts may be appended up to this LSN

  RingLog(
      Medium medium,
      LogOptions options,
      UUID uuid,
      long epoch,
      long startLsn,
      int chain,
      Set<String> keep) {
    super(new PartSealer(LogSeed.key(uuid, epoch), chain));
    this.medium = medium;
    this.options = options;
    this.uuid = uuid;
    this.epoch = epoch;
    this.capacity = options.ringSize();
    this.mask = capacity - 1;
    this.appended = startLsn;
    this.roomEnd = startLsn + capacity;
    String location = medium.location();
    this.sync = new LogSync(refusals(location), location, startLsn, options.intervalNanos(), this);
    this.group = sync.group();
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
            pool, BatchWriter.OVERHEAD, capacity - PartLayout.MAX_PART, usable, this::left);
  }

  @Override
  public boolean prepare() {
    return RingFile.isThere(medium, capacity) // if not, a recovery may need the old one
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
    pool.recycleOld(); // on a full disk this provides the spare segment
    startThreads();
  }

  private void resetRing() {
    Region mapped = RingFile.reset(medium, capacity, uuid, epoch);
    parts = new RingView(mapped.segment(), RingLayout.DATA, 0, capacity);
    ring = mapped;
  }

  private void startThreads() {
    pool.begin();
    sync.start();
  }

  @Override
  LogSpace space() {
    return space;
  }

  @Override
  public void reserve(long bytes) {
    sync.check();
    if (ring == null) {
      throw new IllegalStateException("the epoch has not begun");
    }
    long durable = group.durable();
    while (sync.overdue(appended, durable)) {
      group.await(durable + 1);
      durable = group.durable();
    }
    space.reserve(bytes);
  }

  /** Bytes that certainly fit into the current segment after everything appended is written. */
  private long left() {
    long durable = group.durable(); // first: parts written meanwhile count twice, not never
    long undurable = appended - durable;
    int batch = batches.maxBatch() - PartLayout.MAX_PART;
    long cost = undurable + (undurable / batch + 2) * BatchWriter.OVERHEAD;
    return Math.max(0, batches.remaining() - TAIL) - cost;
  }

  @Override
  int place(int bytes) {
    int room = (int) PartLayout.align(bytes);
    int at = (int) appended & mask;
    if (at + room > capacity) {
      pad(at, capacity - at);
      at = 0;
    }
    if (appended + room > roomEnd) {
      awaitRoom(appended + room);
    }
    position = RingLayout.DATA + at;
    return room;
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
  long seal(int length, int flags) {
    int padded = (int) PartLayout.align(length);
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

  @Override
  public long write(long durable, long to) {
    RingView source = parts;
    if (source == null) {
      throw new IllegalStateException("the epoch has not begun");
    }
    SyncEvent event = Recording.isOn() ? new SyncEvent() : null;
    if (event != null) {
      event.begin();
    }
    long end = batches.write(source, durable, to);
    if (event != null) {
      event.lsn = end;
      event.bytes = end - durable;
      event.commit();
    }
    return end;
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
    sync.whenDurable(lsn, action);
  }

  @Override
  public void syncWithin(long nanos) {
    sync.requestWithin(nanos);
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
  public void recheck() {
    sync.recheck();
  }

  @Override
  public @Nullable Throwable failure() {
    return group.failure();
  }

  @Override
  public long used() {
    long segments = (long) pool.liveCount() * options.segmentSize() - batches.remaining();
    return segments + appended() - group.durable();
  }

  @Override
  public long limit() {
    return pool.limit();
  }

  @Override
  public void close() {
    sync.close();
    pool.close();
    batches.close();
    if (ring != null) {
      ring.close();
    }
  }
}
