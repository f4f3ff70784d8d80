package io.everheap.cache.store;

import io.everheap.cache.event.CacheRecoveryEvent;
import io.everheap.cache.format.SealedSlot;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.State;
import io.everheap.memory.BriefLock;
import io.everheap.memory.Region;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries of earlier openings: reads the tables of all segments, whose slots tell
 * everything but the key. A segment gives out no space before its table was read and the blocks of
 * its entries are taken; then its entries are added, a part at a time, and may make room at once.
 * Any number of threads may take part, each with a step at a time: the table of a segment, or some
 * entries of one. The thread that ends the last one completes the recovery while no other syncs.
 *
 * <pre>
 *   field    mode      guard
 *   stopped  volatile  set once
 * </pre>
 */
final class Recovery {
  private static final int STEP = 8192; // entries that a thread adds
  private static final int BATCH = 64; // those of them under one lock

  /** For those that wait for a part; an error may also end a thread that only stored that. */
  private static final long RECHECK_MILLIS = 2;

  private final Turn turn;
  private final Superblocks superblocks;
  private final Slots slots;
  private final Space space;
  private final Progress progress;
  private final Durability durability;
  private final Removals removals;
  private final Entries entries;
  private final InsertionOrder order;
  private final @Nullable Sealing sealing;
  private final long digested;
  private final Counters counters;
  private final @Nullable CacheRecoveryEvent event = Events.recovery();
  private final AtomicBoolean looked = new AtomicBoolean();
  private final AtomicInteger next = new AtomicInteger();
  private final Deque<Rest> rests = new ConcurrentLinkedDeque<>();
  private final AtomicInteger left; // segments to be read, and the look for those without entries
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean stopped;

  /**
   * Slots of a segment whose blocks are taken; the entries of those from one on are to be added.
   */
  private static final class Rest {
    final int[] slots;
    int from;

    Rest(int[] slots) {
      this.slots = slots;
    }
  }

  /**
   * Of one opening.
   *
   * @param sealing null if the cache is not encrypted
   * @param digested the epoch whose digests the segments of an encrypted cache must have; -1 if
   *     none
   */
  Recovery(
      Base base,
      Superblocks superblocks,
      Progress progress,
      Durability durability,
      Removals removals,
      Entries entries,
      InsertionOrder order,
      @Nullable Sealing sealing,
      long digested) {
    this.turn = base.turn();
    this.superblocks = superblocks;
    this.slots = base.slots();
    this.space = base.space();
    this.progress = progress;
    this.durability = durability;
    this.removals = removals;
    this.entries = entries;
    this.order = order;
    this.sealing = sealing;
    this.digested = digested;
    this.counters = base.counters();
    this.left = new AtomicInteger(base.space().segmentCount() + 1);
  }

  /** Takes a step, or waits a while for others that do; false if all entries are known. */
  boolean next() {
    try {
      return readNext();
    } catch (Throwable t) {
      // Else those would wait for ever that need all entries. By stores: a call may fail.
      turn.failure = turn.failure == null && !turn.closed ? t : turn.failure;
      stopped = true;
      done.countDown();
      throw t;
    }
  }

  private boolean readNext() {
    if (removals.isIndexed()) {
      return false;
    }
    if (!stopped && looked.compareAndSet(false, true)) {
      lookForFresh();
      boolean _ = isLast();
    }
    Rest rest = stopped ? null : rests.pollFirst();
    if (rest != null) {
      add(rest);
      return !removals.isIndexed();
    }
    int number = stopped ? Integer.MAX_VALUE : next.getAndIncrement();
    if (number >= space.segmentCount()) {
      next.set(space.segmentCount());
      await(RECHECK_MILLIS);
      return !stopped && !removals.isIndexed();
    }
    Rest found = read(space.segment(number));
    if (found != null) {
      rests.addLast(found);
      return true;
    }
    return !isLast();
  }

  private void add(Rest rest) {
    int[] its = rest.slots;
    int end = Math.min(its.length, rest.from + STEP);
    while (rest.from < end) {
      int first = rest.from;
      int last = Math.min(end, first + BATCH);
      turn.runGently(
          () ->
              turn.whole(
                  () -> {
                    for (int i = first; i < last; i++) {
                      entries.restore(its[i]);
                    }
                  }));
      rest.from = last;
    }
    if (end < its.length) {
      rests.addFirst(rest);
    } else {
      boolean _ = isLast();
    }
  }

  /** A part is done; completes the recovery if it was the last one. */
  private boolean isLast() {
    if (left.decrementAndGet() > 0) {
      return false;
    }
    durability.exclusively(this::complete);
    done.countDown();
    return true;
  }

  /**
   * Segments that were never used are looked for first: nothing is evicted while some are known.
   */
  private void lookForFresh() {
    for (int i = 0; i < space.segmentCount() && !stopped; i++) {
      Segment segment = space.segment(i);
      segment.touchHeader();
      change(
          () -> {
            if (segment.condition() == Segment.Condition.UNKNOWN && segment.header() == 0) {
              space.addFresh(segment);
            }
          });
    }
  }

  private void await(long millis) {
    boolean interrupted = false;
    boolean waited = false;
    while (!waited) {
      try {
        boolean _ = done.await(millis, TimeUnit.MILLISECONDS);
        waited = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** All segments were read: nothing is void, and nothing has to be remembered any more. */
  private void complete() {
    order.restore(counters.recovered.sum());
    turn.lock.lock();
    try {
      progress.changed(); // the ends of entries that recovery found are to be durable
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    boolean _ = durability.sync();
    turn.guarded(
        () -> superblocks.update(state -> state.voids(List.of()).flag(State.SCANNING, false)));
    turn.lock.lock();
    try {
      removals.forget();
      Events.recovered(event, counters);
    } finally {
      turn.lock.state = BriefLock.FREE;
    }
    removals.clear();
  }

  /**
   * Waits until all entries are known, and helps to find them.
   *
   * @throws IllegalStateException if the cache is being closed, also before it is closed: the close
   *     waits for other threads, and virtual threads among them may need the carrier of this one
   */
  void await() {
    while (!removals.isIndexed()) {
      boolean ends = stopped; // before the failure that may have ended it
      turn.requireUsable();
      if (ends) {
        throw Turn.closing();
      }
      boolean _ = next();
    }
  }

  /** Waits until all entries are known, the recovery fails or is stopped, or the time is over. */
  void awaitDone(long millis) {
    await(millis);
  }

  /** Lets all threads end. */
  void stop() {
    stopped = true;
    done.countDown();
  }

  private void change(Runnable action) {
    turn.run(() -> turn.whole(action));
  }

  /** Reads the table of a segment; null if no entry is to be added. */
  private @Nullable Rest read(Segment segment) {
    segment.touchHeader();
    var isUnknown = new AtomicBoolean();
    change(
        () ->
            isUnknown.set(
                segment.condition() == Segment.Condition.UNKNOWN && segment.header() != 0));
    if (!isUnknown.get()) {
      return null; // it was never used
    }
    int chunks = segment.storedChunks();
    if (chunks < 0) {
      counters.damaged.increment();
      change(
          () -> {
            segment.damaged();
            space.addFresh(segment);
          });
      return null;
    }
    change(() -> segment.attach(slots, chunks));
    // A killed process may have left stores that can be read and are not durable.
    segment.memory().forceDirectly(segment.start(), segment.slotOffset(0) - segment.start());
    segment.memory().forceDirectly(segment.slotOffset(0), (long) chunks * SegmentLayout.CHUNK);
    if (sealing != null) {
      authenticate(segment, sealing);
    }
    int[] found = scan(segment, chunks);
    BitSet used = granules(segment, found);
    if (used == null) {
      found = withoutOverlaps(segment, found);
      used = Objects.requireNonNull(granules(segment, found));
    }
    // Until it is ready, nobody else changes the segment or relies on what it says.
    int[] taken = take(segment, found, used);
    change(() -> space.ready(segment));
    return taken.length == 0 ? null : new Rest(taken);
  }

  /**
   * Ends the slots of an encrypted cache that are not authentic, and all of a segment that is not
   * as it was when the cache was closed: some entry may be one that had ended.
   */
  private void authenticate(Segment segment, Sealing its) {
    Region region = segment.memory().region();
    segment.load(
        slots,
        its,
        at -> {
          counters.damaged.increment();
          SealedSlot.wipe(region, at);
        });
    if (digested >= 0 && !segment.hasDigest(slots, its, digested)) {
      counters.damaged.increment();
      for (int i = 0; i < segment.slotCount(); i++) {
        kill(segment, i);
      }
    }
  }

  /**
   * The indexes of the sound slots of a segment; ends the others. Nobody else changes the segment
   * meanwhile.
   */
  private int[] scan(Segment segment, int chunks) {
    long salt = segment.memory().salt();
    int[] found = new int[chunks * SegmentLayout.CHUNK_SLOTS];
    int count = 0;
    for (int i = 0; i < found.length; i++) {
      Region region = slots.region(segment.slot(i));
      long at = slots.offset(segment.slot(i));
      long sequence = SlotLayout.sequence(region, at);
      if (sequence == 0) {
        continue;
      }
      if (!SlotLayout.valid(region, at, salt, sequence) || !isInside(segment, region, at)) {
        counters.damaged.increment();
        kill(segment, i);
      } else if (!superblocks.state().admits(sequence)) {
        kill(segment, i);
      } else {
        found[count++] = i;
      }
    }
    return Arrays.copyOf(found, count);
  }

  private static int length(Region region, long at) {
    int key = SlotLayout.keyLength(region, at);
    int value = SlotLayout.valueLength(region, at);
    return key < 0 || value < 0 ? -1 : Slots.granules(key, value);
  }

  private static boolean isInside(Segment segment, Region region, long at) {
    int place = SlotLayout.place(region, at);
    int length = length(region, at);
    return length > 0
        && place >= segment.tableEnd()
        && (long) place + length <= segment.memory().segmentGranules();
  }

  private void kill(Segment segment, int index) {
    slots.kill(segment.slot(index));
    segment.memory().forceDirectly(segment.slotOffset(index), Long.BYTES);
  }

  /** The granules that the entries of some slots take; null if two of them overlap. */
  private @Nullable BitSet granules(Segment segment, int[] indexes) {
    BitSet used = new BitSet(segment.memory().segmentGranules());
    for (int index : indexes) {
      if (!claim(segment, index, used)) {
        return null;
      }
    }
    return used;
  }

  private boolean claim(Segment segment, int index, BitSet used) {
    int slot = segment.slot(index);
    int place = slots.place(slot);
    int end = place + slots.weight(slot);
    if (!used.get(place, end).isEmpty()) {
      return false;
    }
    used.set(place, end);
    return true;
  }

  /** Of two that overlap, the older one's block was used again: it ends. */
  private int[] withoutOverlaps(Segment segment, int[] indexes) {
    BitSet used = new BitSet(segment.memory().segmentGranules());
    return Arrays.stream(indexes)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> slots.sequence(segment.slot(i))).reversed())
        .filter(
            i -> {
              boolean isNewer = claim(segment, i, used);
              if (!isNewer) {
                counters.damaged.increment();
                kill(segment, i);
              }
              return isNewer;
            })
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Takes slots and granules of a segment; returns the numbers of the slots. */
  private int[] take(Segment segment, int[] indexes, BitSet used) {
    int[] taken = new int[indexes.length];
    for (int i = 0; i < taken.length; i++) {
      segment.use(indexes[i]);
      taken[i] = segment.slot(indexes[i]);
      slots.pins().allocate(taken[i]);
    }
    int most = segment.memory().segmentGranules();
    for (int from = used.nextClearBit(segment.tableEnd()); from < most; ) {
      int next = used.nextSetBit(from);
      int end = next < 0 ? most : next;
      segment.free().give(from, end - from);
      from = used.nextClearBit(end);
    }
    return taken;
  }
}
