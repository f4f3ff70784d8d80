package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.MediumException;
import io.everheap.log.EpochMillis;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.MappedFaults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A place in a journal: finds records and validates them. Not thread-safe. */
final class Cursor implements AutoCloseable {
  /** How often to retry when another process may be changing the files. */
  private static final int RETRIES = 20;

  private final RecordSource source;
  private final SegmentCache cache;
  private @Nullable Segment segment;
  private @Nullable RecordScanner scanner;
  private @Nullable SparseIndex index;
  private MemorySegment memory = MemorySegment.NULL;
  private MemorySegment data = MemorySegment.NULL;
  private long time;
  private long offset;
  private int cuts;
  private long next;
  private @Nullable Segment read; // of the record before the next one, if that was read

  Cursor(RecordSource source, SegmentCache cache, long next) {
    this.source = source;
    this.cache = cache;
    this.next = next;
    this.cuts = source.cuts();
  }

  /** The sequence of the next record to read. */
  long next() {
    return next;
  }

  void seek(long sequence) {
    next = sequence;
    read = null;
    leave();
  }

  /** The payload of the record that was read. */
  MemorySegment data() {
    return data;
  }

  /** When it was appended, in milliseconds since 1970; 0 if it does not say. */
  long time() {
    return time;
  }

  /**
   * Reads the next record if it is there.
   *
   * @throws GoneException if it was released or cut off
   * @throws CorruptException if it does not validate
   */
  boolean advance() {
    try {
      boolean found = find();
      MappedFaults.arrive();
      return found;
    } catch (IllegalStateException e) {
      source.check(); // a close unmaps the memory
      throw e;
    } catch (InternalError e) {
      throw unreadable(e);
    }
  }

  /** Copies the payload of the record that was read. */
  byte[] bytes() {
    try {
      byte[] copy = data.toArray(ValueLayout.JAVA_BYTE);
      MappedFaults.arrive();
      return copy;
    } catch (InternalError e) {
      throw unreadable(e);
    }
  }

  private CorruptException unreadable(InternalError error) {
    Segment in = segment;
    if (in == null) {
      throw error;
    }
    return in.unreadable(offset);
  }

  private boolean find() {
    int tries = 0;
    while (true) {
      source.check();
      long visible = source.visible();
      int known = source.cuts();
      if (cuts != known) {
        leave();
        Segment[] all = source.segments();
        requireContinued(all, all.length - 1);
        cuts = known;
        continue;
      }
      if (next >= visible && next >= source.first() && next <= end(visible)) {
        source.requireEnd();
        return false;
      }
      requireThere(visible);
      RecordScanner records = scanner;
      Segment in = segment;
      if (records == null || in == null || next >= in.endSequence()) {
        if (!located(tries++)) {
          continue;
        }
        records = scanner;
        in = segment;
      }
      if (records != null && in != null && records.at(offset, next)) {
        accept(records);
        if (read != in) {
          read = in;
        }
        return true;
      }
      boolean again = source.refresh() && tries++ < RETRIES;
      if (cuts == source.cuts() && in != null && next < in.endSequence()) {
        requireThere(source.visible());
        if (again) {
          leave(); // the writer may be reusing the segment
          continue;
        }
        throw CorruptException.journal(in.path(), offset, "record " + next + " does not validate");
      }
      leave();
    }
  }

  /** The number that the next record to be appended will get: records from visible on may wait. */
  private long end(long visible) {
    return next > visible ? Math.max(visible, source.next()) : visible;
  }

  private void requireThere(long visible) {
    long first = source.first();
    long end = end(visible);
    if (next > end) {
      source.requireEnd();
    }
    if (next < first || next > end) {
      // Other threads may have appended and released more since the end was read.
      throw GoneException.record(source.location(), next, first, Math.max(first, end));
    }
  }

  /**
   * Throws if a record that was read was cut off since. A cut begins an epoch with its first
   * sequence, in a segment that names the segment of the record before it.
   *
   * @param last the newest segment to check, as an index
   */
  private void requireContinued(Segment[] all, int last) {
    Segment before = read;
    if (before == null) {
      return;
    }
    int later = last + 1;
    while (later > 0 && all[later - 1].header().epoch() > before.header().epoch()) {
      later--;
    }
    if (later > last) {
      return;
    }
    SegmentHeader begun = all[later].header(); // the oldest segment of a later epoch
    if (begun.first() < next || (begun.first() == next && begun.previous() != before.ordinal())) {
      throw GoneException.replaced(source.location(), next - 1, source.first(), source.next());
    }
  }

  private void accept(RecordScanner records) {
    data = memory.asSlice(records.payload(), records.length());
    time = records.time(offset);
    SparseIndex known = index;
    if (known != null) {
      known.add(next, offset);
    }
    offset = records.next();
    next++;
  }

  /**
   * Locates the next record; returns false to retry if another process was renaming or reusing the
   * files.
   */
  private boolean located(int tries) {
    try {
      return locate();
    } catch (MediumException | CorruptException e) {
      leave();
      if (tries >= RETRIES || !source.refresh()) {
        throw e;
      }
      return false;
    }
  }

  /** Goes to the segment and offset of the next record; false if everything changed meanwhile. */
  private boolean locate() {
    Segment last = segment;
    leave();
    Segment[] all = source.segments();
    int found = Segments.find(all, next);
    if (found < 0) {
      return false;
    }
    Segment in = all[found];
    if (next >= in.endSequence()) {
      return false;
    }
    requireContinued(all, found);
    if (!in.pin()) {
      return false;
    }
    segment = in;
    memory = in.region().segment();
    scanner = new RecordScanner(in.view(), in.header());
    index = cache.index(in);
    if (last == null || next != in.firstSequence()) {
      walk(in, scanner, index);
    } else {
      offset = SegmentLayout.START;
    }
    return true;
  }

  private void walk(Segment in, RecordScanner records, SparseIndex known) {
    long[] start = known.before(next);
    long sequence = start[0];
    offset = start[1];
    while (sequence < next) {
      if (!records.plausible(offset, sequence) || records.has(RecordLayout.END)) {
        throw CorruptException.journal(
            in.path(), offset, "record " + sequence + " does not validate");
      }
      offset = records.next();
      sequence++;
      known.add(sequence, offset);
    }
  }

  /**
   * Reads the first record whose time is not before the wanted one; returns whether there is one.
   */
  boolean advanceTo(Instant wanted) {
    long millis = EpochMillis.of(wanted);
    Segment[] all = source.segments();
    int at = 0;
    while (at + 1 < all.length && all[at + 1].header().time() < millis) {
      at++;
    }
    if (all.length == 0) {
      return false;
    }
    seek(Math.max(source.first(), all[at].firstSequence()));
    while (advance()) {
      if (time == 0 || time >= millis) {
        return true;
      }
    }
    return false;
  }

  private void leave() {
    Segment left = segment;
    segment = null;
    scanner = null;
    index = null;
    data = MemorySegment.NULL;
    memory = MemorySegment.NULL;
    if (left != null) {
      cache.keep(left);
      left.unpin();
    }
  }

  @Override
  public void close() {
    leave();
  }
}
