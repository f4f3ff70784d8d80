package io.everheap.engine.log;

import io.everheap.error.CorruptException;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.log.LogTimer;
import io.everheap.log.SegmentFactory;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The segment files of a log: the live ones, oldest first, and those ready for use. Thread-safe.
 *
 * <p>One ready segment is a spare that is never promised to a reservation: with it, recovery can
 * start an epoch on a full disk.
 */
final class SegmentPool implements BatchWriter.Source, AutoCloseable {
  /** More segments than a heap can create; a file with a larger number is not from this library. */
  private static final long MAX_NUMBER = 1L << 60;

  /** The current segment, one for the epoch of the next opening, and a spare one. */
  private static final int KEPT_WHEN_CLOSED = 3;

  private final Medium medium;
  private final LogOptions options;
  private final boolean mapped;
  private final @Nullable LogTimer maker;

  /** Guards the lists and counts; held for short times. */
  private final Object lock = new Object();

  /** Held while a file is created; taken before {@link #lock}. */
  private final Object makerLock = new Object();

  private final ArrayDeque<LogSegment> live = new ArrayDeque<>();
  private final ArrayDeque<LogSegment> ready = new ArrayDeque<>();
  private final List<String> old = new ArrayList<>();
  private final List<LogHold> holds = new ArrayList<>();
  private long checkpointLsn; // up to which segments are not needed any more
  private long nextNumber;
  private long sequence;
  private int promised;
  private boolean ending;
  private boolean closed;
  private volatile boolean begun; // before, nothing is created ahead: recovery may need the space
  private volatile boolean scarce; // this field and the next are written with the lock held
  private volatile long oldBytes;
  private volatile long limit;
  private final SegmentFactory factory;

  /** Opens all segments except those in {@code keep}. */
  SegmentPool(Medium medium, LogOptions options, boolean mapped, Set<String> keep) {
    this.medium = medium;
    this.options = options;
    this.mapped = mapped;
    this.limit = options.limit();
    try {
      factory = new SegmentFactory(medium, LogLayout.TEMPORARY);
      List<String> names = SegmentCatalog.oldestFirst(medium);
      if (!names.isEmpty()) {
        // A process killed after a rename left a name that a power loss could undo.
        medium.syncDirectory(LogLayout.DIRECTORY);
        medium.syncDirectory("");
      }
      for (String name : names) {
        nextNumber = Math.max(nextNumber, SegmentCatalog.number(name) + 1);
        sync(name);
        if (keep.contains(name)) {
          old.add(name);
        } else {
          adopt(name);
        }
      }
      maker =
          options.background()
              ? new LogTimer(
                  this::addAll, 0, "segments " + medium.location(), SegmentPool::warnNoMaker)
              : null;
    } catch (Throwable t) {
      closeAll();
      throw t;
    }
  }

  /** Frees the segments of older epochs. */
  void recycleOld() {
    synchronized (lock) {
      while (!old.isEmpty()) {
        String name = old.removeFirst(); // before: it must not be adopted twice
        try {
          adopt(name);
        } catch (RuntimeException e) {
          old.addFirst(name); // for another attempt
          throw e;
        }
      }
      trim();
      count();
    }
  }

  /** Ensures that there is a spare segment, and from now on creates others ahead. */
  void begin() {
    requireReady();
    if (maker != null) {
      begun = true;
      wakeMaker();
    } else {
      addNext();
    }
  }

  /**
   * Creates the segment after the current one, so that a checkpoint frees something on a full disk.
   */
  private void addNext() {
    try {
      addAhead();
    } catch (DiskFullException e) {
      System.getLogger(SegmentPool.class.getName())
          .log(System.Logger.Level.DEBUG, "no room for a further log segment", e);
    }
  }

  /** Like {@link #requireReady}, but returns false if the disk is full. */
  boolean tryReady() {
    try {
      requireReady();
      return true;
    } catch (DiskFullException e) {
      return false;
    }
  }

  /** Creates a segment if none is ready. */
  void requireReady() {
    if (readyCount() == 0) {
      add();
    }
  }

  /**
   * Makes a ready segment the current one. The caller writes its header.
   *
   * @throws io.everheap.error.MediumException if a file of the heap is no longer in place
   */
  @Override
  public LogSegment roll(long startLsn) {
    medium.requireIntact();
    LogSegment segment;
    synchronized (lock) {
      segment = ready.pollFirst();
      if (segment == null) {
        throw new IllegalStateException("no log segment is ready for LSN " + startLsn);
      }
      promised = Math.max(0, promised - 1);
      segment.use(++sequence, startLsn);
      live.addLast(segment);
      count();
      holds.forEach(LogHold::segmentBegan);
    }
    wakeMaker();
    return segment;
  }

  /**
   * Holds the segments in use and those that follow.
   *
   * @param onSegment called when a segment is complete; neither waits nor throws
   */
  LogHold hold(Runnable onSegment) {
    LogHold hold = new LogHold(this, onSegment);
    synchronized (lock) {
      holds.add(hold);
    }
    return hold;
  }

  void release(LogHold hold) {
    synchronized (lock) {
      holds.remove(hold);
      recycleBelow(checkpointLsn);
    }
  }

  /** Frees what a hold kept until now. */
  void recycle() {
    synchronized (lock) {
      recycleBelow(checkpointLsn);
    }
  }

  /** The target size of all segments, in bytes. */
  long limit() {
    return limit;
  }

  /** Sets the target size to that of a heap of this size. */
  void follow(long capacity) {
    limit = options.target(capacity);
  }

  private int target() {
    return Math.clamp(limit / options.segmentSize(), 2, Integer.MAX_VALUE - 1);
  }

  /** Names of the segments of older epochs. */
  List<String> old() {
    synchronized (lock) {
      return List.copyOf(old);
    }
  }

  /** The segments in use, oldest first. */
  List<LogHold.Piece> pieces() {
    synchronized (lock) {
      List<LogHold.Piece> pieces = new ArrayList<>();
      for (LogSegment segment : live) {
        boolean last = segment == live.getLast();
        pieces.add(new LogHold.Piece(segment.name(), segment.startLsn(), segment.written(), !last));
      }
      return pieces;
    }
  }

  /** Frees all segments whose parts are below {@code lsn}, except those that are held. */
  void recycleBelow(long lsn) {
    synchronized (lock) {
      checkpointLsn = Math.max(checkpointLsn, lsn);
      while (live.size() > 1) {
        Iterator<LogSegment> oldestFirst = live.iterator();
        LogSegment oldest = oldestFirst.next();
        LogSegment next = oldestFirst.next();
        if (next.startLsn() > lsn || !next.headerDurable() || isHeld(next.startLsn())) {
          break;
        }
        live.removeFirst();
        ready.addLast(oldest);
      }
      trim();
      count();
    }
  }

  /**
   * Whether the segment before an LSN is held; if too much of the log is in use, it is given up.
   */
  private boolean isHeld(long end) {
    boolean held = false;
    for (LogHold hold : holds) { // no stream: an opening would load its classes
      if (hold.lsn() < end) {
        if (live.size() > target() - target() / 4) {
          hold.lose(end);
        } else {
          held = true;
        }
      }
    }
    return held;
  }

  /**
   * Promises ready segments to reservations: they are not deleted until they are used or this
   * method is called again. The spare one is never promised.
   *
   * @param wanted number of segments
   * @return the number that is promised
   */
  int promise(int wanted) {
    synchronized (lock) {
      promised = Math.min(wanted, Math.max(0, ready.size() - 1));
      return promised;
    }
  }

  /** Bytes of the segments of older epochs that are not free yet. */
  long oldBytes() {
    return oldBytes; // without the lock: committers must not wait for operations on files
  }

  int readyCount() {
    synchronized (lock) {
      return ready.size();
    }
  }

  int liveCount() {
    synchronized (lock) {
      return live.size();
    }
  }

  /**
   * Deletes the ready segments except those that the next opening needs: one to start its epoch,
   * and a spare one. From now on none is created ahead.
   */
  void trimToMinimum() {
    synchronized (makerLock) {
      synchronized (lock) {
        ending = true;
        promised = 0;
        trim(KEPT_WHEN_CLOSED);
      }
    }
  }

  /** Whether a segment should be created ahead. */
  boolean wantsMore() {
    synchronized (lock) {
      return !closed
          && !ending
          && ready.size() < ahead()
          && live.size() + ready.size() < target() + 1;
    }
  }

  /**
   * The number of segments that should be ready. A checkpoint that delays the creation of segments
   * takes the longer, the more of them are live.
   */
  private int ahead() {
    return 2 + live.size() / 4;
  }

  /** The task of the maker. After a failure the writer that needs a segment tries again. */
  private void addAll() {
    try {
      while (wantsMore()) {
        addAhead();
      }
    } catch (RuntimeException e) {
      System.getLogger(SegmentPool.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot make a log segment ahead", e);
    }
  }

  /** Warns that the maker failed or cannot be started; writers create the segments they need. */
  private static void warnNoMaker(Throwable cause) {
    System.getLogger(SegmentPool.class.getName())
        .log(System.Logger.Level.WARNING, "log segments are no longer made ahead", cause);
  }

  /** Creates a segment ahead, unless another thread has just done so. */
  void addAhead() {
    synchronized (makerLock) {
      if (wantsMore()) {
        add();
      }
    }
  }

  /** Creates a segment: filled with zeros and durable under a temporary name, then renamed. */
  void add() {
    synchronized (makerLock) {
      if (closed) {
        throw new IllegalStateException("the log is closed");
      }
      if (factory.failure() instanceof EverheapException failed) {
        throw failed;
      }
      if (nextNumber > MAX_NUMBER) {
        throw CorruptException.heap(
            "The log has a segment "
                + LogLayout.name(nextNumber - 1)
                + ", which this library cannot have created.");
      }
      String name = LogLayout.name(nextNumber);
      String[] directories =
          nextNumber == 0
              ? new String[] {LogLayout.DIRECTORY, ""}
              : new String[] {LogLayout.DIRECTORY};
      factory.make(name, options.segmentSize(), directories);
      nextNumber++;
      LogSegment segment = open(name);
      synchronized (lock) {
        ready.addLast(segment);
        count();
      }
    }
  }

  /** Whether only the spare segment is ready, or none, although a checkpoint would free some. */
  boolean isScarce() {
    return scarce;
  }

  private void count() {
    scarce = ready.size() <= 1 && freesSegments();
    oldBytes = (long) old.size() * options.segmentSize();
  }

  /** Creates segments until they are not scarce; false if no more may be created. */
  boolean ensureSpace() {
    try {
      while (scarce && wantsMore()) {
        addAhead();
      }
    } catch (DiskFullException e) {
      return false;
    }
    return !scarce;
  }

  /** Whether a checkpoint of everything would free a segment. */
  boolean isReclaimable() {
    synchronized (lock) {
      return freesSegments();
    }
  }

  private boolean freesSegments() {
    return live.size() > 1 || !old.isEmpty();
  }

  private LogSegment open(String name) {
    return LogSegment.open(medium, name, options.segmentSize(), mapped, options.durableWrite());
  }

  /**
   * Syncs a file. It was durable when it was written, but the heap may have been copied since
   * without a sync; and durable writes to its blocks rely on its length.
   */
  private void sync(String name) {
    try (MediumFile file = medium.open(name)) {
      file.sync();
    }
  }

  /** Makes a file that is not needed a ready segment; deletes it if its size differs. */
  private void adopt(String name) {
    long size;
    try (MediumFile file = medium.open(name)) {
      size = file.size();
    }
    if (size == options.segmentSize()) {
      ready.addLast(open(name));
    } else {
      medium.delete(name);
    }
  }

  private void trim() {
    trim(target() + 1);
  }

  private void trim(int maxSegments) {
    while (ready.size() > 1 + promised && live.size() + ready.size() > maxSegments) {
      LogSegment surplus = ready.removeFirst(); // the oldest: a replica may want the others
      surplus.close();
      medium.delete(surplus.name());
    }
  }

  private void wakeMaker() {
    if (maker != null && begun) {
      try {
        maker.request();
      } catch (MediumException e) {
        warnNoMaker(e); // the operating system cannot create a thread
      }
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      ending = true;
    }
    if (maker != null) {
      maker.stop();
    }
    synchronized (makerLock) {
      closeAll();
    }
  }

  private void closeAll() {
    synchronized (lock) {
      closed = true;
      live.forEach(LogSegment::close);
      ready.forEach(LogSegment::close);
      live.clear();
      ready.clear();
    }
  }
}
