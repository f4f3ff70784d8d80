package io.everheap.journal;

import io.everheap.error.CorruptJournalException;
import io.everheap.error.JournalClosedException;
import io.everheap.error.MediumException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A journal that is only read, while another process may be appending: sees a record when it is
 * complete, by its checksum, and looks for new segments when the newest one goes on no more.
 * Thread-safe.
 *
 * <p>The writer knows nothing of this. What it releases may be overwritten while it is read here;
 * the checksums notice.
 */
final class WatchedSource implements RecordSource, AutoCloseable {
  private static final int PATIENCE = 200;
  private static final long LOOK = 1_000_000;
  private static final long LONGEST_SLEEP = 5_000_000;

  private final Medium medium;
  private final Segments segments = new Segments(List.of());
  private volatile JournalState state;
  private volatile long visible;
  private volatile int cuts;
  private volatile boolean closed;

  private @Nullable Segment tail;
  private @Nullable RecordScanner scanner;
  private long offset;
  private long sequence;
  private int chain;
  private long lookedAt;
  private boolean ended;

  WatchedSource(Medium medium, JournalState state) {
    this.medium = medium;
    this.state = state;
    this.visible = state.firstSequence();
    for (int i = 1; !refresh(i == PATIENCE); i++) {
      LockSupport.parkNanos(LOOK); // the writer is just changing something
    }
    poll();
  }

  @Override
  public String location() {
    return medium.location();
  }

  @Override
  public Segment[] segments() {
    return segments.all();
  }

  @Override
  public long first() {
    return state.firstSequence();
  }

  JournalState state() {
    return state;
  }

  @Override
  public int cuts() {
    return cuts;
  }

  @Override
  public long visible() {
    poll();
    return visible;
  }

  @Override
  public boolean refresh() {
    refresh(false);
    return true;
  }

  @Override
  public void check() {
    if (closed) {
      throw new JournalClosedException(medium.location());
    }
  }

  @Override
  public boolean await(long wanted, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    long sleep = 50_000;
    while (visible() <= wanted) {
      check();
      long left = nanos - (System.nanoTime() - start);
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(left, sleep));
      sleep = Math.min(2 * sleep, LONGEST_SLEEP);
    }
    return true;
  }

  /** Reads on from the end that is known. */
  private synchronized void poll() {
    if (closed) {
      return;
    }
    boolean found = readOn();
    while (ended || (!found && System.nanoTime() - lookedAt > LOOK)) {
      long seen = visible;
      Segment before = tail;
      boolean moved = somethingNew() && refresh(false);
      lookedAt = System.nanoTime();
      found = moved && readOn();
      if (visible == seen && tail == before) {
        return; // what is new does not continue what there is, now or for ever
      }
    }
  }

  private boolean readOn() {
    RecordScanner records = scanner;
    if (records == null || ended) {
      return false;
    }
    long from = visible;
    long at = offset;
    long number = sequence;
    int crc = chain;
    while (records.follows(at, number, crc)) {
      crc = records.checksum();
      if (records.has(RecordLayout.END)) {
        ended = true;
        break;
      }
      at = records.next();
      number++;
      if (records.has(RecordLayout.LAST)) {
        offset = at;
        sequence = number;
        chain = crc;
        visible = number;
      }
    }
    return visible != from;
  }

  /** Whether the state changed or a segment was begun. */
  private boolean somethingNew() {
    try {
      if (StateFile.read(medium).generation() != state.generation()) {
        return true;
      }
      long newest = tail == null ? 0 : tail.ordinal();
      for (String name : medium.list("")) {
        if (SegmentLayout.isSegment(name) && SegmentLayout.ordinal(name) > newest && begun(name)) {
          return true;
        }
      }
      return false;
    } catch (MediumException | CorruptJournalException e) {
      return false; // the writer is just changing it; the next look will tell
    }
  }

  private boolean begun(String name) {
    ByteBuffer b = ByteBuffer.allocate(SegmentLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    try (MediumFile file = medium.open(name)) {
      file.read(b, 0);
    }
    SegmentHeader header = SegmentHeader.decode(b);
    return header != null
        && header.uuid().equals(state.uuid())
        && header.ordinal() == SegmentLayout.ordinal(name);
  }

  /** Finds the segments anew; false if that does not work just now. */
  private synchronized boolean refresh(boolean last) {
    try {
      JournalState newest = StateFile.read(medium);
      Recovered found = Recovery.read(medium, newest, false);
      adopt(newest, found);
      return true;
    } catch (MediumException | CorruptJournalException e) {
      if (last) {
        throw e;
      }
      return false;
    }
  }

  private void adopt(JournalState newest, Recovered found) {
    Map<Long, Segment> known = new HashMap<>();
    for (Segment segment : segments.all()) {
      known.put(segment.ordinal(), segment);
    }
    List<Segment> now = new ArrayList<>();
    long newestKnown = tail == null ? 0 : tail.ordinal();
    boolean cutOff = false;
    for (Segment segment : found.live()) {
      cutOff |= segment.ordinal() > newestKnown && segment.firstSequence() < visible;
      Segment same = known.get(segment.ordinal());
      if (same != null && same.header().equals(segment.header())) {
        same.end(segment.endSequence(), segment.endOffset());
        now.add(same);
      } else {
        now.add(segment);
      }
    }
    Segment end = now.isEmpty() ? null : now.getLast();
    long endSequence = found.nextSequence();
    if (end != null) {
      offset = end.endOffset();
      end.end(Segment.OPEN, Segment.OPEN);
      follow(end);
    }
    sequence = endSequence;
    chain = found.chain();
    ended = false;
    segments.replace(now);
    state = newest;
    if (cutOff && newestKnown > 0) {
      int before = cuts;
      cuts = before + 1;
    }
    visible = endSequence;
  }

  private void follow(Segment end) {
    Segment before = tail;
    if (end != before) {
      if (!end.pin()) {
        throw new IllegalStateException(end + " was released");
      }
      tail = end;
      scanner = new RecordScanner(end.view(), end.header());
      if (before != null) {
        before.unpin();
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (tail != null) {
      tail.unpin();
      tail = null;
    }
    for (Segment segment : segments.all()) {
      segment.close();
    }
  }
}
