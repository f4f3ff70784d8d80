package io.everheap.journal;

import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.log.RemoteCopies;
import io.everheap.log.SegmentLayout;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A journal that this process writes, as the origin of replicas. Thread-safe. */
final class LocalOrigin implements JournalOrigin {
  private final LocalSource source;
  private final long term;
  private final AtomicLong reached =
      new AtomicLong(); // the position is 0 while records are cut off
  private final AtomicReference<@Nullable RemoteCopies> copies = new AtomicReference<>();
  private volatile @Nullable Supplier<? extends RuntimeException> refusal;
  private volatile boolean closed;

  LocalOrigin(LocalSource source, long term) {
    this.source = source;
    this.term = term;
  }

  @Override
  public UUID uuid() {
    return source.state().uuid();
  }

  @Override
  public String location() {
    return source.location();
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public boolean encrypted() {
    return source.isEncrypted();
  }

  void close() {
    closed = true;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public int segmentSize() {
    return source.state().segmentSize();
  }

  @Override
  public long oldestSequence() {
    Segment[] all = source.segments();
    return all.length == 0 ? source.first() : all[0].firstSequence();
  }

  @Override
  public long durable() {
    return reached.accumulateAndGet(source.writer().durablePosition(), Math::max);
  }

  @Override
  public long lag(long position) {
    long end = durable();
    long bytes = RecordLayout.offset(end) - RecordLayout.offset(position);
    for (Segment segment : source.segments()) {
      long ordinal = segment.ordinal();
      if (ordinal >= RecordLayout.ordinal(position) && ordinal < RecordLayout.ordinal(end)) {
        long used = segment.endOffset();
        bytes += (used == Segment.OPEN ? segment.header().size() : used) - SegmentLayout.START;
      }
    }
    return Math.max(0, bytes);
  }

  @Override
  public AtomicReference<@Nullable RemoteCopies> copies() {
    return copies;
  }

  @Override
  public void refuse(Supplier<? extends RuntimeException> why) {
    refusal = why;
  }

  @Override
  public @Nullable RuntimeException refusal() {
    Supplier<? extends RuntimeException> why = refusal;
    return why == null ? null : why.get();
  }

  void requireServing() {
    RuntimeException why = refusal();
    if (why != null) {
      throw why;
    }
  }

  @Override
  public JournalFeed feed(JournalPosition from) {
    return LocalFeed.open(source, from);
  }
}
