package io.everheap.journal;

import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.log.LogTimer;
import io.everheap.log.SegmentFactory;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Makes segments ahead of their use: new files full of zeros, or files of released segments under a
 * new name. Thread-safe.
 *
 * <p>A ready segment has the name that it will be used under, so that beginning it takes no more
 * than its header. Ordinals are given in ascending order.
 *
 * <p>An appender that needs a segment which is not ready makes it itself, and gets an exception if
 * that fails; so appending works without the thread.
 */
final class SegmentFiles implements AutoCloseable {
  /** Files of released segments that are kept, besides those that are ready. */
  private static final int SPARE = 2;

  private final Medium medium;
  private final Mode mode;
  private final int segmentSize;
  private final int ahead;
  private final @Nullable LogTimer maker;

  /** Held while a file is made, also guards {@link #nextOrdinal}; taken before {@link #lock}. */
  private final Object making = new Object();

  /** Guards {@link #ready} and {@link #spare}; held briefly. */
  private final Object lock = new Object();

  private final ArrayDeque<OpenSegment> ready = new ArrayDeque<>();
  private final ArrayDeque<String> spare = new ArrayDeque<>();
  private final Queue<OpenSegment> finished = new ConcurrentLinkedQueue<>();
  private volatile boolean withoutMaker; // there is no thread, or it has failed
  private volatile long requested; // bytes of a segment that an appender will ask for, or 0
  private volatile @Nullable RuntimeException refused; // why the requested one was not made
  private long nextOrdinal;
  private boolean closed;
  private final SegmentFactory factory;

  /**
   * Takes over what is on the medium.
   *
   * @param ahead how many segments to keep ready
   * @param background whether a thread makes them
   * @param unused files of segments that nothing needs
   * @param nextOrdinal above all that were ever used
   */
  SegmentFiles(
      Medium medium,
      Mode mode,
      int segmentSize,
      int ahead,
      boolean background,
      Collection<String> unused,
      long nextOrdinal) {
    this.medium = medium;
    this.mode = mode;
    this.segmentSize = segmentSize;
    this.ahead = ahead;
    this.nextOrdinal = nextOrdinal;
    this.factory = new SegmentFactory(medium, JournalLayout.TEMPORARY);
    if (medium.exists(JournalLayout.TRIMMED)) {
      medium.delete(JournalLayout.TRIMMED);
    }
    unused.forEach(this::keep);
    this.maker =
        background
            ? new LogTimer(
                this::work, 0, "segments " + medium.location(), this::continueWithoutMaker)
            : null;
    this.withoutMaker = !background;
  }

  /** Starts the thread that makes segments, if there is to be one. */
  void start() {
    if (maker != null && !withoutMaker) {
      try {
        maker.request();
      } catch (Throwable t) {
        continueWithoutMaker(t); // no memory for a thread
      }
    }
  }

  private void continueWithoutMaker(Throwable cause) {
    withoutMaker = true;
    System.getLogger(SegmentFiles.class.getName())
        .log(System.Logger.Level.WARNING, "segments are no longer made ahead", cause);
  }

  /**
   * Requests a segment of so many bytes, to be made in the background and taken later.
   *
   * @throws EverheapException if that failed since it was asked for before
   */
  void request(long room) {
    long bytes = Math.max(segmentSize, RecordLayout.align(room, SegmentLayout.BLOCK));
    RuntimeException why = refused;
    if (withoutMaker) {
      require(bytes);
    } else if (requested == bytes && why != null) {
      requested = 0;
      refused = null;
      throw why;
    } else if (requested != bytes) {
      refused = null;
      requested = bytes;
      start();
    }
  }

  /** Whether the next segment can be taken and has so many bytes. */
  private boolean isReady(long bytes) {
    synchronized (lock) {
      OpenSegment first = ready.peekFirst();
      return first != null && first.size() >= bytes;
    }
  }

  /** The error of the virtual machine after which no segment can be made any more, if any. */
  @Nullable Error error() {
    return factory.failure() instanceof Error e ? e : null;
  }

  /** Takes the next segment if it is ready and has so many bytes; otherwise null. */
  @Nullable OpenSegment take(long bytes) {
    OpenSegment taken;
    synchronized (lock) {
      OpenSegment first = ready.peekFirst();
      taken = first != null && first.size() >= bytes ? ready.pollFirst() : null;
    }
    start();
    return taken;
  }

  /** Makes a segment if need be, and takes it. */
  OpenSegment require() {
    while (true) {
      OpenSegment taken = take(segmentSize);
      if (taken != null) {
        return taken;
      }
      require(segmentSize);
    }
  }

  /** Makes a segment of so many bytes the next one. */
  void require(long bytes) {
    synchronized (making) {
      if (withoutMaker) {
        closeFinished();
      }
      if (isReady(bytes)) {
        return;
      }
      // Ordinals ascend: what is ready now is too small, and comes later under another name.
      synchronized (lock) {
        for (OpenSegment small; (small = ready.pollFirst()) != null; ) {
          small.close();
          keep(SegmentLayout.name(small.ordinal()));
        }
      }
      add(Math.max(segmentSize, RecordLayout.align(bytes, SegmentLayout.BLOCK)));
    }
  }

  /**
   * Takes back a segment that was not used; its file gets a new name, since the old one would be
   * too low.
   */
  void giveBack(OpenSegment segment) {
    segment.close();
    reuse(SegmentLayout.name(segment.ordinal()));
  }

  /** Takes back a file that is no longer needed. */
  void reuse(String name) {
    synchronized (lock) {
      keep(name);
    }
  }

  /** The writer no longer needs a segment, which stays in the journal. */
  void finish(OpenSegment segment) {
    if (withoutMaker) {
      segment.close();
    } else {
      finished.add(segment);
    }
  }

  /** Takes back the file of a released segment, whose memory readers may still use. */
  void recycle(Segment segment) {
    String name = segment.name();
    synchronized (lock) {
      if (segment.retire()) {
        keep(name);
      } else {
        medium.delete(name); // readers keep the mapping
      }
    }
    start();
  }

  /** Keeps a file for use, or deletes it. */
  private void keep(String name) {
    long size;
    try (MediumFile file = medium.open(name)) {
      size = file.size();
    }
    if (size == segmentSize && spare.size() < ahead + SPARE) {
      spare.addLast(name);
    } else {
      medium.delete(name);
    }
  }

  private void work() {
    try {
      closeFinished();
      synchronized (making) {
        long wanted = requested;
        if (!closed && wanted > 0) {
          require(wanted);
          requested = 0;
        }
        while (!closed && wantsMore()) {
          add(segmentSize);
        }
      }
      closeFinished();
    } catch (Throwable t) {
      // An appender that needs the segment tries again and gets the exception.
      refused = t instanceof RuntimeException e ? e : new MediumException(String.valueOf(t), t);
      System.getLogger(SegmentFiles.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot make a segment ahead", t);
    }
  }

  private void closeFinished() {
    Closing closing = new Closing();
    for (OpenSegment segment; (segment = finished.poll()) != null; ) {
      closing.then(segment::close);
    }
    closing.end();
  }

  private boolean wantsMore() {
    synchronized (lock) {
      return ready.size() < ahead;
    }
  }

  /** Makes as many segments as are to be ready. */
  void fillUp() {
    synchronized (making) {
      while (wantsMore()) {
        add(segmentSize);
      }
    }
  }

  /** Holding {@link #making}. */
  private void add(long size) {
    if (closed) {
      throw ClosedException.journal(medium.location());
    }
    Throwable before = factory.failure();
    if (before != null) {
      throw before instanceof EverheapException e
          ? e
          : StoppedException.journal(medium.location(), before);
    }
    if (nextOrdinal >= JournalLayout.MAX_ORDINAL) {
      throw new IllegalStateException("the journal has used up its segment numbers");
    }
    String name = SegmentLayout.name(nextOrdinal);
    String old = size == segmentSize ? takeSpare() : null;
    if (old == null) {
      factory.make(name, size, "");
    } else {
      factory.rename(old, name, "");
    }
    OpenSegment segment = OpenSegment.open(medium, mode, nextOrdinal, size);
    try {
      if (maker != null) {
        segment.touch();
      }
      synchronized (lock) {
        ready.addLast(segment);
      }
    } catch (Throwable t) {
      Closing.after(t, segment::close);
      throw t;
    }
    nextOrdinal++; // last: a failure leaves no gap, since an epoch begins in a named segment
  }

  private @Nullable String takeSpare() {
    synchronized (lock) {
      return spare.pollFirst();
    }
  }

  /** Bytes of files that are ready or spare. */
  long unusedBytes() {
    synchronized (lock) {
      return ready.stream().mapToLong(OpenSegment::size).sum() + (long) spare.size() * segmentSize;
    }
  }

  @Override
  public void close() {
    if (maker != null) {
      maker.stop();
    }
    Closing closing = new Closing();
    synchronized (making) {
      synchronized (lock) {
        closed = true;
        closing.then(this::closeFinished);
        ready.forEach(segment -> closing.then(segment::close));
        ready.clear();
      }
    }
    closing.end();
  }
}
