package io.everheap.journal;

import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A journal that is only read, while another process may be appending: sees a record when it is
 * complete, by its checksum, and looks for new segments when the newest one ends. Thread-safe.
 *
 * <p>The writer does not know of this reader. What it releases may be overwritten while it is read
 * here; the checksums detect that.
 *
 * <p><b>Damage.</b> Where no record validates, the journal ends, or is damaged, or the writer is
 * storing the record. It is damage if something proves that the record had been durable, as {@link
 * TailCheck} says, and the record still does not validate after that was seen: its bytes were there
 * before the proof was made. That is looked for when the journal is opened, when a segment begins,
 * and less and less often while nothing arrives. Nothing counts as damage while the journal's state
 * changes, because records are released and cut off only after such a change. The monitor guards
 * all changes of fields, and {@link #tail}, {@link #schedule}, {@link #retries} and {@link #cache}
 * altogether.
 */
final class WatchedSource implements RecordSource {
  private static final long LONGEST_SLEEP = 5_000_000;

  /** How long to try to open a journal that changes all the time. */
  private static final long LONGEST_OPENING = 10_000_000_000L;

  private final Medium medium;
  private final Segments segments = new Segments(List.of());
  private volatile JournalState state;
  private volatile long visible;
  private volatile int cuts;
  private volatile boolean closed;
  private volatile @Nullable EverheapException failure;

  private @Nullable SegmentCache cache;
  private final WatchedTail tail = new WatchedTail();
  private final PollSchedule schedule = new PollSchedule();
  private final RetryLimit retries = new RetryLimit();

  private WatchedSource(Medium medium, JournalState state) {
    this.medium = medium;
    this.state = state;
    this.visible = state.firstSequence();
  }

  /** Opens a journal. */
  static WatchedSource open(Medium medium) {
    WatchedSource source = new WatchedSource(medium, StateFile.read(medium));
    try {
      source.findFirst();
      return source;
    } catch (Throwable t) {
      Closing.after(t, source::close);
      throw t;
    }
  }

  private synchronized void findFirst() {
    long start = System.nanoTime();
    while (!refresh(true)) {
      EverheapException last = retries.failure();
      if (last != null && (failure != null || System.nanoTime() - start > LONGEST_OPENING)) {
        throw last;
      }
      LockSupport.parkNanos(PollSchedule.POLL); // the writer is changing something
    }
    schedule.arrived();
    poll();
  }

  @Override
  public synchronized void cache(SegmentCache newCache) {
    cache = newCache;
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

  @Override
  public JournalState state() {
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
    if (!refresh(false)) {
      LockSupport.parkNanos(PollSchedule.POLL);
    }
    return true;
  }

  @Override
  public void requireEnd() {
    EverheapException lasting = failure;
    if (lasting != null) {
      throw lasting;
    }
  }

  @Override
  public void check() {
    if (closed) {
      throw ClosedException.journal(medium.location());
    }
  }

  @Override
  public boolean await(long wanted, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    long sleep = 50_000;
    while (visible() <= wanted) {
      check();
      requireEnd();
      long left = nanos - (System.nanoTime() - start);
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(left, sleep));
      sleep = Math.min(2 * sleep, LONGEST_SLEEP);
    }
    return true;
  }

  /** Reads on from the known end. */
  private synchronized void poll() {
    if (closed) {
      return;
    }
    boolean found = readNew();
    while ((tail.ended() && failure == null) || (!found && schedule.due())) {
      long seen = visible;
      Segment before = tail.segment();
      found = look() && readNew();
      if (visible == seen && tail.segment() == before) {
        return; // what was found does not continue the known segments, now or ever
      }
    }
  }

  private boolean readNew() {
    long from = visible;
    long end = tail.readOn(from);
    if (end == from) {
      return false;
    }
    visible = end;
    failure = null;
    schedule.arrived();
    return true;
  }

  /** Looks at the files; returns whether the segments were read again. */
  private boolean look() {
    long start = System.nanoTime();
    boolean findDamage = schedule.checksDamage(start);
    boolean moved = (findDamage || failure != null || hasChanged()) && refresh(findDamage);
    schedule.polled(start, findDamage);
    return moved;
  }

  /** Whether the state changed or a segment was begun, or the files cannot be read. */
  private boolean hasChanged() {
    try {
      if (StateFile.read(medium).generation() != state.generation()) {
        return true;
      }
      long newest = tail.ordinal();
      for (String name : medium.list("")) {
        if (SegmentLayout.isSegment(name)
            && SegmentLayout.number(name) > newest
            && JournalRecovery.header(medium, state.uuid(), name) != null) {
          return true;
        }
      }
      return false;
    } catch (MediumException | CorruptException e) {
      return true; // the next look tells whether that lasts
    }
  }

  /** Reads the segments again; false if that fails now. */
  private synchronized boolean refresh(boolean findDamage) {
    check();
    JournalState newest = state;
    try {
      newest = StateFile.read(medium);
      JournalRecovery.Found found =
          JournalRecovery.watch(medium, newest, findDamage || failure != null);
      CorruptException damage = found.damage();
      if (damage != null && changedSince(newest)) {
        failed(damage, newest.generation());
        return false;
      }
      adopt(newest, found);
      retries.reset();
      failure = damage;
      return true;
    } catch (MediumException | CorruptException e) {
      failed(e, newest.generation());
      return false;
    }
  }

  private boolean changedSince(JournalState before) {
    return StateFile.read(medium).generation() != before.generation();
  }

  private void failed(EverheapException reason, long generation) {
    if (retries.exhausted(reason, generation)) {
      failure = reason;
    }
  }

  private void adopt(JournalState newest, JournalRecovery.Found found) {
    Map<Long, Segment> known = new HashMap<>();
    for (Segment segment : segments.all()) {
      known.put(segment.ordinal(), segment);
    }
    List<Segment> now = new ArrayList<>();
    long newestKnown = tail.ordinal();
    boolean cutOff = false;
    for (Segment segment : found.live()) {
      cutOff |= segment.ordinal() > newestKnown && segment.firstSequence() < visible;
      Segment same = known.get(segment.ordinal());
      now.add(same != null && same.header().equals(segment.header()) ? same : segment);
    }
    if (!now.isEmpty()) {
      tail.follow(now.getLast(), found.live().getLast().endOffset());
    }
    for (int i = 0; i < now.size() - 1; i++) {
      Segment segment = found.live().get(i);
      now.get(i).end(segment.endSequence(), segment.endOffset());
    }
    SegmentCache kept = cache;
    if (kept != null) {
      known.values().stream().filter(segment -> !now.contains(segment)).forEach(kept::drop);
    }
    tail.continueAt(found.nextSequence(), found.chain());
    segments.replace(now);
    if (cutOff && newestKnown > 0) {
      int before = cuts;
      cuts = before + 1;
    }
    visible = found.nextSequence(); // before the state, whose first record is not behind it
    state = newest;
  }

  @Override
  public synchronized void close() {
    closed = true;
    Closing closing = new Closing().then(tail::close);
    for (Segment segment : segments.all()) {
      closing.then(segment::close);
    }
    closing.end();
  }
}
