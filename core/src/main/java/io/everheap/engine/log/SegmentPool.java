package io.everheap.engine.log;

import io.everheap.error.CorruptHeapException;
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
 * The segment files of a log: those in use, oldest first, and those ready for use. Thread-safe.
 *
 * <p>One ready segment is a spare that no reservation counts: with it recovery can start an epoch
 * on a full disk.
 */
final class SegmentPool implements BatchWriter.Source, AutoCloseable {
  /** More segments than a heap can make; a file with a larger number was put there by others. */
  private static final long MAX_NUMBER = 1L << 60;

  /** The one in use, one that takes its place at the next opening, and a spare one. */
  private static final int KEPT_WHEN_CLOSED = 3;

  private final Medium medium;
  private final LogOptions options;
  private final boolean mapped;
  private final int target;
  private final @Nullable LogTimer maker;

  /** Guards the lists; held for short. */
  private final Object lock = new Object();

  /** Held while a file is made; taken before {@link #lock}. */
  private final Object making = new Object();

  private final ArrayDeque<LogSegment> live = new ArrayDeque<>();
  private final ArrayDeque<LogSegment> ready = new ArrayDeque<>();
  private final List<String> old = new ArrayList<>();
  private long nextNumber;
  private long sequence;
  private int promised;
  private boolean ending;
  private boolean closed;
  private volatile boolean begun; // before, nothing is made ahead: others may need the space
  private volatile boolean scarce; // this and the next are written with the lock held
  private volatile long oldBytes;
  private final SegmentFactory factory;

  /** Opens all segments except those in {@code keep}. */
  SegmentPool(Medium medium, LogOptions options, boolean mapped, Set<String> keep) {
    this.medium = medium;
    this.options = options;
    this.mapped = mapped;
    this.target = (int) Math.max(2, options.limit() / options.segmentSize());
    try {
      factory = new SegmentFactory(medium, LogLayout.TEMPORARY);
      List<String> names = SegmentCatalog.names(medium);
      if (!names.isEmpty()) {
        // A process that was killed behind a rename left a name that a power loss takes back.
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
                  this::addAll, 0, "segments " + medium.location(), SegmentPool::goOnAlone)
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
        String name = old.removeLast(); // first: it must not be taken over twice
        try {
          adopt(name);
        } catch (RuntimeException e) {
          old.addLast(name); // to be tried again
          throw e;
        }
      }
      trim();
      count();
    }
  }

  /** Makes sure that there is a spare segment, and makes others ahead from now on. */
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
   * Makes the segment after the one in use, so that a checkpoint frees something on a full disk.
   */
  private void addNext() {
    try {
      addAhead();
    } catch (DiskFullException e) {
      System.getLogger(SegmentPool.class.getName())
          .log(System.Logger.Level.DEBUG, "no room for a further log segment", e);
    }
  }

  /** As {@link #requireReady}; false if the disk is full. */
  boolean tryReady() {
    try {
      requireReady();
      return true;
    } catch (DiskFullException e) {
      return false;
    }
  }

  /** Makes a segment if none is ready. */
  void requireReady() {
    if (readyCount() == 0) {
      add();
    }
  }

  /**
   * Takes a ready segment as the newest one in use. Its header is still to be written.
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
    }
    wakeMaker();
    return segment;
  }

  /** Frees all segments whose parts lie below {@code lsn}. */
  void recycleBelow(long lsn) {
    synchronized (lock) {
      while (live.size() > 1) {
        Iterator<LogSegment> oldestFirst = live.iterator();
        LogSegment oldest = oldestFirst.next();
        LogSegment next = oldestFirst.next();
        if (next.startLsn() > lsn || !next.headerDurable()) {
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
   * Promises ready segments to reservations: they are not deleted before they are used, or promised
   * anew. The spare one is never promised.
   *
   * @param wanted how many
   * @return how many there are of them
   */
  int promise(int wanted) {
    synchronized (lock) {
      promised = Math.min(wanted, Math.max(0, ready.size() - 1));
      return promised;
    }
  }

  /** Bytes of the segments of older epochs that are not free yet. */
  long oldBytes() {
    return oldBytes; // committers ask, and must not wait for files
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
   * Deletes the ready segments but those that an opening takes at once: one to start its epoch in,
   * and a spare one. Nothing is made ahead from now on.
   */
  void trimToLeast() {
    synchronized (making) {
      synchronized (lock) {
        ending = true;
        promised = 0;
        trim(KEPT_WHEN_CLOSED);
      }
    }
  }

  /** Whether a segment should be made before a writer has to wait for it. */
  boolean wantsMore() {
    synchronized (lock) {
      return !closed
          && !ending
          && ready.size() < ahead()
          && live.size() + ready.size() < target + 1;
    }
  }

  /**
   * How many segments should be ready: the more are in use, the faster they fill, and the longer it
   * takes to make one beside the checkpoint that frees them.
   */
  private int ahead() {
    return 2 + live.size() / 4;
  }

  /** By the maker. The writer that then needs a segment tries again, and gets the exception. */
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

  /** The maker died or cannot be started; the writer makes what it needs. */
  private static void goOnAlone(Throwable cause) {
    System.getLogger(SegmentPool.class.getName())
        .log(System.Logger.Level.WARNING, "log segments are no longer made ahead", cause);
  }

  /** Makes a segment ahead of need, unless another thread just did. */
  void addAhead() {
    synchronized (making) {
      if (wantsMore()) {
        add();
      }
    }
  }

  /** Makes a segment: filled with zeros and durable under a temporary name, then renamed. */
  void add() {
    synchronized (making) {
      if (closed) {
        throw new IllegalStateException("the log is closed");
      }
      if (factory.failure() instanceof EverheapException failed) {
        throw failed;
      }
      if (nextNumber > MAX_NUMBER) {
        throw new CorruptHeapException(
            "The log has a segment " + LogLayout.name(nextNumber - 1) + ", which no heap made.");
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

  /** Whether none but the spare segment is ready, while a checkpoint would free some. */
  boolean isScarce() {
    return scarce;
  }

  private void count() {
    scarce = ready.size() <= 1 && freesSegments();
    oldBytes = (long) old.size() * options.segmentSize();
  }

  /** Makes segments until they are not scarce; false if there may be no more of them. */
  boolean makeSpace() {
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
   * Makes a file durable that was so when it was written, unless the heap was copied from elsewhere
   * since, which syncs nothing. What is written to its blocks needs its length as well.
   */
  private void sync(String name) {
    try (MediumFile file = medium.open(name)) {
      file.sync();
    }
  }

  /** Takes over a file that nothing needs; one of another size is deleted. */
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
    trim(target + 1);
  }

  private void trim(int most) {
    while (ready.size() > 1 + promised && live.size() + ready.size() > most) {
      LogSegment surplus = ready.removeLast();
      surplus.close();
      medium.delete(surplus.name());
    }
  }

  private void wakeMaker() {
    if (maker != null && begun) {
      try {
        maker.request();
      } catch (MediumException e) {
        goOnAlone(e); // no thread to be had
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
    synchronized (making) {
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
