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
 * thread-safe: the leader of the group commit owns it; only {@link #remaining} may be called by any
 * thread.
 */
final class BatchWriter implements AutoCloseable {
  /** Maximum size of a batch besides its parts. */
  static final int OVERHEAD = BatchLayout.HEADER_SIZE + SegmentLayout.BLOCK - 1;

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
  private final Region staging;
  private final MemorySegment memory;
  private final ByteBuffer buffer;
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
    this.staging = Region.allocate(SegmentLayout.BLOCK + BatchLayout.size(maxPayload));
    this.memory = staging.claim(0, staging.size());
    this.buffer = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    moveTo(position);
  }

  /** Bytes behind the last batch in the current segment. Any thread. */
  long remaining() {
    return remaining;
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
    long room = segment.size() - position - BatchLayout.HEADER_SIZE;
    int length = ring.wholeParts(from, to, Math.min(room, maxPayload));
    int chain = ring.previousCrc(from);
    if (length == 0) {
      segment = source.roll(from);
      moveTo(SegmentLayout.START);
      rewriteHeader(chain);
      length = ring.wholeParts(from, to, maxPayload);
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
