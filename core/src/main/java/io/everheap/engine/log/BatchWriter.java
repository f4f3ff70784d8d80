package io.everheap.engine.log;

import io.everheap.log.LogSeed;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/**
 * Writes parts to segments in durable batches, one write at a time; see {@link BatchLayout}. Not
 * thread-safe: the leader of the group commit owns it; only {@link #remaining} and {@link
 * #maxBatch} may be called by any thread.
 *
 * <p>A batch is built in native memory. That memory begins small and grows with the batches, since
 * many small heaps may be open at a time. Where it cannot grow, batches stay small: that is why an
 * {@code OutOfMemoryError} is caught here.
 */
final class BatchWriter implements AutoCloseable {
  /** Maximum size of a batch besides its parts. */
  static final int OVERHEAD = BatchLayout.HEADER_SIZE + SegmentLayout.BLOCK - 1;

  /** Maximum size of the parts of a batch before the memory grows, in bytes; several parts fit. */
  private static final int INITIAL_PAYLOAD = 4 * PartLayout.MAX_PART;

  /** Supplies the segments. */
  interface Source {
    /** Takes the next segment, for parts from a LSN on. The caller writes its header. */
    LogSegment roll(long startLsn);
  }

  private final Source source;
  private final UUID uuid;
  private final long epoch;
  private final long key;
  private final int maxPayload;
  private volatile int payload; // for which the memory is large enough; at most maxPayload
  private Region staging;
  private MemorySegment memory;
  private ByteBuffer buffer;
  private LogSegment segment;
  private long position;
  private boolean headerPending;
  private volatile long remaining;

  /** Starts an epoch: takes a segment for {@code lsn}, whose header is durable on return. */
  static BatchWriter start(Source source, UUID uuid, long epoch, long lsn, int chain) {
    LogSegment first = source.roll(lsn);
    BatchWriter writer = new BatchWriter(source, uuid, epoch, first, SegmentLayout.START);
    try {
      writer.encodeHeader(chain);
      first.writeDurably(writer.buffer.slice(0, SegmentLayout.BLOCK), 0);
    } catch (Throwable t) {
      writer.close();
      throw t;
    }
    first.setHeaderDurable();
    return writer;
  }

  /**
   * Continues in a segment at a position, a multiple of the block size; {@link #rewriteHeader} must
   * follow if the next batch is the first one of the segment.
   */
  BatchWriter(Source source, UUID uuid, long epoch, LogSegment segment, long position) {
    this.source = source;
    this.uuid = uuid;
    this.epoch = epoch;
    this.key = LogSeed.key(uuid, epoch);
    this.segment = segment;
    this.maxPayload = BatchLayout.maxPayload(segment.size());
    this.payload = Math.min(INITIAL_PAYLOAD, maxPayload);
    this.staging = stagingFor(payload);
    this.memory = staging.claim(0, staging.size());
    this.buffer = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    moveTo(position);
  }

  private static Region stagingFor(int payload) {
    return Region.allocate(SegmentLayout.BLOCK + BatchLayout.size(payload));
  }

  /** Bytes after the last batch in the current segment. Any thread. */
  long remaining() {
    return remaining;
  }

  /** The parts of a batch may take at least this many bytes; never shrinks. Any thread. */
  int maxBatch() {
    return payload;
  }

  /**
   * Writes the first parts of a range durably, as many as fit into one batch.
   *
   * @param ring contains the parts
   * @param from LSN of the first part; everything below it is durable
   * @param to LSN behind the last part; greater than {@code from}
   * @return the LSN below which everything is durable now
   */
  long write(RingView ring, long from, long to) {
    if (to <= from) {
      throw new IllegalArgumentException("nothing to write from LSN " + from + " to " + to);
    }
    if (to - from > payload && payload < maxPayload) {
      grow(to - from);
    }
    long room = segment.size() - position - BatchLayout.HEADER_SIZE;
    int length = ring.wholeParts(from, to, Math.min(room, payload));
    int chain = ring.previousCrc(from);
    if (length == 0) {
      segment = source.roll(from);
      moveTo(SegmentLayout.START);
      rewriteHeader(chain);
      length = ring.wholeParts(from, to, payload);
    }
    int at = SegmentLayout.BLOCK;
    int size = (int) BatchLayout.size(length);
    BatchLayout.encode(buffer, at, key, epoch, segment.sequence(), from, from, length, chain);
    ring.copy(from, length, memory, at + BatchLayout.HEADER_SIZE);
    int end = BatchLayout.HEADER_SIZE + length;
    memory.asSlice(at + end, size - end).fill((byte) 0);
    if (headerPending) {
      segment.writeDurably(buffer.slice(0, at + size), 0);
      segment.setHeaderDurable();
      headerPending = false;
    } else {
      segment.writeDurably(buffer.slice(at, size), position);
    }
    moveTo(position + size); // after the write, so that a failed one leaves no gap
    return from + length;
  }

  /** Takes memory for a larger batch, and keeps a header that is not yet written. */
  private void grow(long bytes) {
    int wanted = (int) Math.min(maxPayload, Long.highestOneBit(bytes - 1) * 2);
    Region larger;
    MemorySegment target;
    ByteBuffer view;
    try {
      larger = stagingFor(wanted);
      target = larger.claim(0, larger.size());
      view = target.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError e) {
      return;
    }
    MemorySegment.copy(memory, 0, target, 0, SegmentLayout.BLOCK);
    Region old = staging;
    staging = larger;
    memory = target;
    buffer = view;
    payload = wanted;
    Closing.unmap(old);
  }

  /** Writes the segment's header together with the next batch, the first one of the segment. */
  void rewriteHeader(int chain) {
    encodeHeader(chain);
    headerPending = true;
  }

  private void moveTo(long newPosition) {
    position = newPosition;
    remaining = segment.size() - newPosition;
  }

  private void encodeHeader(int chain) {
    memory.asSlice(0, SegmentLayout.BLOCK).fill((byte) 0);
    byte[] header =
        segment.header(LogLayout.BATCHES, uuid, epoch, chain).encode(LogLayout.MAGIC).array();
    buffer.put(0, header);
  }

  @Override
  public void close() {
    Closing.unmap(staging);
  }
}
