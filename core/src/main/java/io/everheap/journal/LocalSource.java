package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.log.CopiedWrite;
import io.everheap.log.RemoteCopies;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.CompletionThread;
import io.everheap.memory.Medium;
import io.everheap.memory.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The source of a journal that this process writes: its writer and its state; releases and cuts
 * records. Thread-safe.
 */
final class LocalSource implements RecordSource {
  /** The watch checks this many segments each time, and an eighth of all. */
  private static final int LOOKS = 256;

  private final Medium medium;
  private final JournalOptions options;
  private final StateFile state;
  private final Segments segments = new Segments(List.of());
  private final JournalWriter writer;
  private final SegmentFiles files;
  private final boolean unclean;
  private final long tornBytes;

  /** Held while records are released or cut off. */
  private final Object truncating = new Object();

  private volatile long first; // changed with truncating held
  private volatile int cuts; // changed under the append lock
  private volatile boolean rolled; // set with the append lock held: a segment was begun
  private volatile boolean closing;
  private volatile @Nullable Thread truncator; // holds truncating, and may complete appends
  private final CompletionThread completions = new CompletionThread();
  private final Medium.Watch watch;
  private final LocalOrigin origin; // what replicas are made from
  private int looked; // used by the watch alone
  private @Nullable SegmentCache cache;

  private LocalSource(Medium medium, JournalOptions options, StateFile state) {
    this.medium = medium;
    this.options = options;
    this.state = state;
    this.first = state.state().firstSequence();
    this.unclean = !state.state().clean();
    this.origin = new LocalOrigin(this, ReplicaFile.read(medium).term());
    Opening opening = new Opening(medium, options, state);
    this.tornBytes = opening.recovered().tornBytes();
    this.files = opening.begin(segments);
    this.writer = opening.writer(files, segments, () -> rolled = true);
    try {
      this.watch = options.background() ? medium.watch(this::tend, writer.failure::fail) : () -> {};
    } catch (Throwable t) {
      Closing.after(t, writer::close);
      throw t;
    }
  }

  private void tend() {
    writer.recheck();
    requireOurs();
  }

  /** Checks that the files are in place: some of many segments, and others the next time. */
  private void requireOurs() {
    state.requireOurs();
    Segment[] all = segments.all();
    for (int i = 0; i < Math.min(all.length, LOOKS + all.length / 8); i++) {
      looked = (looked + 1) % all.length;
      Segment segment = all[looked];
      if (!medium.exists(segment.name()) && List.of(segments.all()).contains(segment)) {
        throw CorruptException.journal(segment.path(), 0, "it was deleted or renamed");
      }
    }
  }

  /** Opens a journal, or creates it. */
  static LocalSource open(Medium medium, JournalOptions options, long firstSequence) {
    StateFile.requireNotForeign(medium);
    ReplicaFile.requireNone(medium);
    StateFile state =
        StateFile.isThere(medium)
            ? StateFile.open(medium)
            : StateFile.create(
                medium,
                JournalState.initial(UUID.randomUUID(), firstSequence, options.segmentSize()));
    return new LocalSource(medium, options, state);
  }

  /** What replicas are made from. */
  JournalOrigin origin() {
    return origin;
  }

  /** Throws if a replica was promoted in place of this journal. */
  void requireServing() {
    origin.requireServing();
  }

  @Override
  public void cache(SegmentCache newCache) {
    cache = newCache;
  }

  JournalWriter writer() {
    return writer;
  }

  @Override
  public JournalState state() {
    return state.state();
  }

  @Override
  public boolean recoveredUnclean() {
    return unclean;
  }

  @Override
  public long tornBytes() {
    return tornBytes;
  }

  @Override
  public long unusedBytes() {
    return files.unusedBytes();
  }

  @Override
  public String location() {
    return medium.location();
  }

  boolean isEncrypted() {
    return medium.encrypted();
  }

  @Override
  public Segment[] segments() {
    return segments.all();
  }

  @Override
  public long first() {
    return first;
  }

  @Override
  public long visible() {
    return writer.tail.visible();
  }

  @Override
  public long next() {
    return writer.tail.next();
  }

  @Override
  public long durable() {
    return writer.durable();
  }

  @Override
  public int cuts() {
    return cuts;
  }

  @Override
  public boolean await(long sequence, long nanos) throws InterruptedException {
    int before = cuts;
    return writer
        .arrivals()
        .await(
            () ->
                writer.tail.visible() > sequence
                    || cuts != before
                    || writer.failure.cause() != null,
            nanos);
  }

  @Override
  public boolean refresh() {
    return false;
  }

  @Override
  public void requireEnd() {
    // The writer knows the end.
  }

  @Override
  public void check() {
    writer.failure.check();
  }

  /** Completes an append: waits until the record is as durable as it is to be. */
  long settle(long sequence) {
    boolean waits = options.intervalNanos() == 0;
    // Before the wait, which its end must end too.
    RemoteCopies remote = waits ? origin.copies().get() : null;
    CopiedWrite copied = null;
    if (remote != null && CopiedWrite.suits(remote)) {
      copied = new CopiedWrite(remote, origin::durable);
      afterAppend(); // retention does not wait for copies
      writer.await(sequence, copied);
    }
    if (waits) {
      writer.await(sequence);
    }
    afterAppend();
    if (remote != null) {
      remote.await(copied == null ? origin.durable() : copied.end());
    }
    origin.requireServing(); // it may have been fenced meanwhile
    return sequence;
  }

  /** Completes an append without waiting. */
  CompletableFuture<Long> settleLater(long sequence) {
    afterAppend();
    RemoteCopies remote = origin.copies().get();
    CompletableFuture<Long> future = new CompletableFuture<>();
    writer.whenDurable(
        sequence,
        failure -> {
          if (failure == null && remote != null) {
            remote.whenCopied(origin.durable(), missing -> complete(future, sequence, missing));
          } else {
            complete(future, sequence, failure);
          }
        });
    return future;
  }

  /**
   * Completes a future in the calling thread; in another one during a close and in a thread that
   * holds a lock which a close needs, because a dependent stage of the future may wait for the
   * close, as {@code System.exit} does for a shutdown hook.
   */
  private void complete(
      CompletableFuture<Long> future, long sequence, @Nullable EverheapException failure) {
    RuntimeException refusal = failure == null ? origin.refusal() : failure;
    Runnable completion =
        () -> {
          if (refusal == null) {
            future.complete(sequence);
          } else {
            future.completeExceptionally(refusal);
          }
        };
    if (!closing && !Thread.currentThread().equals(truncator)) {
      Threads.runForeign(completion);
      return;
    }
    try {
      completions.run(completion);
    } catch (OutOfMemoryError e) { // no thread can be started, and the close must go on
      Threads.runForeign(completion);
    }
  }

  /** Releases what need not be retained, when a new segment was begun. */
  private void afterAppend() {
    if (rolled) {
      rolled = false;
      if (options.retainBytes() > 0 || options.retainMillis() > 0) {
        retain();
      }
    }
  }

  private void retain() {
    synchronized (truncating) {
      if (writer.failure.cause() == null) {
        releaseUnretained();
      }
    }
  }

  private void releaseUnretained() {
    Segment[] all = segments.all();
    long bytes = 0;
    long now = options.clock().applyAsLong(writer.tail.next(), 0); // the clock of the headers
    long oldest = now - options.retainMillis();
    for (int i = all.length - 1; i > 0; i--) {
      bytes += all[i].header().size();
      boolean enough = options.retainBytes() > 0 && bytes >= options.retainBytes();
      boolean old = options.retainMillis() > 0 && all[i].header().time() < oldest;
      if (enough || old) {
        truncateBefore(Math.min(all[i].firstSequence(), writer.durable()));
        return;
      }
    }
  }

  void truncateBefore(long sequence) {
    synchronized (truncating) {
      if (sequence <= first) {
        return;
      }
      writer.failure.check();
      if (sequence > writer.tail.next()) {
        throw new IllegalArgumentException(
            "record " + sequence + " is behind the end, " + writer.tail.next());
      }
      truncator = Thread.currentThread();
      try {
        writer.await(sequence - 1);
      } finally {
        truncator = null;
      }
      Segment[] all = segments.all();
      int keep = 0;
      while (keep + 1 < all.length
          && all[keep + 1].firstSequence() <= sequence
          && all[keep].ordinal() < writer.neededOrdinal()) {
        keep++;
      }
      try {
        state.write(state.state().releasedBefore(sequence, all[keep].ordinal()));
      } catch (Throwable t) {
        writer.failure.broken = t; // by a store: the call may fail
        writer.failure.fail(t);
        throw t;
      }
      first = sequence;
      release(segments.removeFirst(keep));
    }
  }

  private void release(List<Segment> released) {
    SegmentCache known = cache;
    for (Segment segment : released) {
      if (known != null) {
        known.drop(segment);
      }
      files.recycle(segment);
    }
  }

  void truncateAfter(long sequence) {
    synchronized (truncating) {
      writer.failure.check();
      requireRecord(sequence);
      truncator = Thread.currentThread();
      try {
        boolean done = false;
        while (!done) {
          done = tryTruncateAfter(sequence);
        }
      } finally {
        truncator = null;
      }
      writer.arrivals().signal();
    }
  }

  /**
   * Cuts off the records behind a sequence; false if appenders began a segment behind the prepared
   * one, which then cannot follow.
   */
  private boolean tryTruncateAfter(long sequence) {
    OpenSegment fresh = files.require();
    boolean[] used = new boolean[1];
    try {
      return writer.exclusively(
          () -> {
            requireRecord(sequence);
            if (sequence >= writer.tail.next() - 1) {
              return true;
            }
            if (writer.canFollow(fresh)) {
              used[0] = true;
              cut(fresh, sequence + 1);
            }
            return used[0];
          });
    } finally {
      if (!used[0]) {
        files.giveBack(fresh);
      }
    }
  }

  private void requireRecord(long sequence) {
    if (sequence < first - 1 || sequence >= Math.max(first, writer.tail.next())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "record %d is not one of %d to %d",
              sequence,
              first - 1,
              writer.tail.next() - 1));
    }
  }

  /**
   * Called with the append lock held. A new epoch begins at {@code next}; its durable header makes
   * the cut effective.
   */
  private void cut(OpenSegment fresh, long next) {
    long _ = origin.durable(); // appends that are completed meanwhile wait for copies up to here
    try {
      Segment[] all = segments.all();
      int kept = Segments.find(all, next - 1) + 1;
      Segment last = kept == 0 ? null : all[kept - 1];
      long[] end = last == null ? new long[] {SegmentLayout.START, 0} : last.endOf(next);
      JournalState before = state.state();
      state.write(before.taken(before.epoch() + 1, fresh.ordinal(), next, before.segmentSize()));
      List<Segment> gone = new ArrayList<>();
      writer.cut(
          fresh,
          before.epoch() + 1,
          last == null ? 0 : last.ordinal(),
          next,
          (int) end[1],
          () -> {
            gone.addAll(segments.removeLast(all.length - kept));
            if (last != null) {
              last.end(next, end[0]);
            }
          });
      int known = cuts;
      cuts = known + 1;
      state.write(state.state().begun(next));
      release(gone);
    } catch (Throwable t) {
      writer.failure.broken = t; // by a store: the call may fail
      writer.failure.fail(t);
      throw t;
    }
  }

  @Override
  public void close() {
    closing = true;
    origin.close();
    watch.close();
    Closing steps = new Closing();
    steps.then(writer::stop); // first: other threads may wait for a claim
    if (steps.hasError()) {
      steps.end(); // else what follows waits for a claim that is still open
    }
    synchronized (truncating) {
      boolean[] durable = new boolean[1];
      steps.then(
          () -> {
            if (writer.failure.cause() == null) {
              writer.finish();
              durable[0] = true;
            }
          });
      steps.then(writer::close);
      if (durable[0]) {
        steps.then(() -> state.write(state.state().closed(writer.tail.next())));
      }
    }
    for (Segment segment : segments.all()) {
      steps.then(segment::close);
    }
    if (!steps.hasError()) { // otherwise close is called again
      steps.then(completions::close);
    }
    steps.end();
  }
}
