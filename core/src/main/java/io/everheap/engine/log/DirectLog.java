package io.everheap.engine.log;

import io.everheap.log.LogSeed;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The log on byte-addressable media: parts are copied to the mapped segment at their place, and
 * forced when they are closed. Everything appended is durable. Fields without a memory mode are
 * guarded by the writer lock.
 */
final class DirectLog extends ImmediateLog {
  private final LogOptions options;
  private final UUID uuid;
  private final long epoch;
  private final SegmentPool pool;
  private final LogSpace space;
  private LogSegment segment;
  private Region region;
  private boolean begun;
  private final AtomicLong remaining = new AtomicLong();
  private int position; // behind the last part in the segment

  DirectLog(
      Medium medium,
      LogOptions options,
      UUID uuid,
      long epoch,
      long startLsn,
      int chain,
      Set<String> keep) {
    super(medium.location(), new PartSealer(LogSeed.key(uuid, epoch), chain), startLsn);
    this.options = options;
    this.uuid = uuid;
    this.epoch = epoch;
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
    long usable = (long) options.segmentSize() - SegmentLayout.START - PartLayout.MAX_PART;
    this.space =
        new LogSpace(
            pool, 0, Long.MAX_VALUE, usable, () -> Math.max(0L, remaining() - PartLayout.MAX_PART));
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
  LogSpace space() {
    return space;
  }

  @Override
  public void reserve(long bytes) {
    requireBegun();
    space.reserve(bytes);
  }

  private void requireBegun() {
    check();
    if (!begun) {
      throw new IllegalStateException("the epoch has not begun");
    }
  }

  @Override
  int place(int bytes) {
    requireBegun();
    int room = (int) PartLayout.alignDirect(bytes);
    if (position + room > segment.size()) {
      roll();
    }
    return room;
  }

  /** Fills the rest of the segment with a pad and continues in the next one. */
  private void roll() {
    try {
      int rest = segment.size() - position;
      if (rest > 0) {
        sealer.pad(region, position, rest, lsn());
        region.force(position, PartLayout.HEADER_SIZE);
        advance(rest);
      }
      segment = pool.roll(lsn());
      region = segment.region();
      writeHeader();
    } catch (Throwable t) {
      poison(t);
      throw t;
    }
  }

  private void writeHeader() {
    byte[] header =
        segment
            .header(LogLayout.DIRECT, uuid, epoch, sealer.chain())
            .encode(LogLayout.MAGIC)
            .array();
    region.copyFrom(0, header, 0, SegmentLayout.HEADER_SIZE);
    region.force(0, SegmentLayout.HEADER_SIZE);
    segment.setHeaderDurable();
    position = SegmentLayout.START;
    remaining.setRelease((long) segment.size() - position);
  }

  @Override
  long seal(int length, int flags) {
    try {
      int padded = (int) PartLayout.alignDirect(length);
      sealer.seal(region, position, length, padded, flags, lsn());
      region.force(position, padded);
      MappedFaults.arrive(); // a store that failed is not published
      return advance(padded);
    } catch (Throwable t) {
      poison(t);
      throw t;
    }
  }

  private long remaining() {
    return remaining.getAcquire();
  }

  private long advance(int length) {
    position += length;
    remaining.setRelease((long) segment.size() - position);
    return publish(length);
  }

  @Override
  public long used() {
    return (long) pool.liveCount() * options.segmentSize() - remaining();
  }

  @Override
  public long limit() {
    return pool.limit();
  }

  @Override
  public void close() {
    super.close();
    pool.close();
  }
}
