package io.everheap.cache.store;

import io.everheap.cache.event.CacheRecoveryEvent;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.State;
import io.everheap.memory.BriefLock;
import io.everheap.memory.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the entries of earlier openings: reads the tables of all segments, whose slots tell
 * everything but the key. A segment gives out no space before its table was read and the blocks of
 * its entries are taken; then its entries are added, a part at a time, and may make room at once.
 * Any number of threads may take part; each reads a segment alone, and changes it under the cache's
 * lock. The thread that reads the last one completes the recovery while no other thread syncs.
 *
 * <pre>
 *   field    mode      guard
 *   stopped  volatile  set once
 * </pre>
 */
final class Recovery {
  private static final int BATCH = 256;

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
  private final Counters counters;
  private final @Nullable CacheRecoveryEvent event = Events.recovery();
  private final AtomicBoolean looked = new AtomicBoolean();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger left; // segments to be read, and the look for those without entries
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile boolean stopped;

  /** An entry that a slot tells of. */
  private record Found(int index, long sequence, int place, int granules) {}

  Recovery(
      Base base,
      Superblocks superblocks,
      Progress progress,
      Durability durability,
      Removals removals,
      Entries entries,
      InsertionOrder order) {
    this.turn = base.turn();
    this.superblocks = superblocks;
    this.slots = base.slots();
    this.space = base.space();
    this.progress = progress;
    this.durability = durability;
    this.removals = removals;
    this.entries = entries;
    this.order = order;
    this.counters = base.counters();
    this.left = new AtomicInteger(base.space().segmentCount() + 1);
  }

  /** Reads the next segment; the last one to end completes the recovery. False if none is left. */
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
    int number = stopped ? Integer.MAX_VALUE : next.getAndIncrement();
    if (number >= space.segmentCount()) {
      next.set(space.segmentCount());
      return false;
    }
    read(space.segment(number));
    return !isLast();
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

  /** Segments that were never used are known at once: nothing is evicted while there are some. */
  private void lookForFresh() {
    for (int i = 0; i < space.segmentCount() && !stopped; i++) {
      Segment segment = space.segment(i);
      change(
          () -> {
            if (segment.condition() == Segment.Condition.UNKNOWN && segment.header() == 0) {
              space.addFresh(segment);
            }
          });
    }
  }

  /** Reads a segment, or waits a while for others that read theirs. */
  void help() {
    if (!next() && turn.isUsable()) {
      boolean interrupted = false;
      boolean waited = false;
      while (!waited) {
        try {
          boolean _ = done.await(RECHECK_MILLIS, TimeUnit.MILLISECONDS);
          waited = true;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
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

  /** Waits until all entries are known, and helps to find them. */
  void await() {
    while (!removals.isIndexed()) {
      turn.requireUsable();
      help();
    }
  }

  /** Lets all threads end. */
  void stop() {
    stopped = true;
    done.countDown();
  }

  private void change(Runnable action) {
    turn.run(() -> turn.whole(action));
  }

  private void read(Segment segment) {
    var isUnknown = new AtomicBoolean();
    change(
        () ->
            isUnknown.set(
                segment.condition() == Segment.Condition.UNKNOWN && segment.header() != 0));
    if (!isUnknown.get()) {
      return; // it was never used
    }
    int chunks = segment.storedChunks();
    if (chunks < 0) {
      counters.damaged.increment();
      change(
          () -> {
            segment.damaged();
            space.addFresh(segment);
          });
      return;
    }
    change(
        () -> {
          segment.attach(slots, chunks);
          int end = segment.tableEnd();
          segment.free().give(end, segment.memory().segmentGranules() - end);
        });
    // A killed process may have left stores that can be read and are not durable.
    segment.memory().forceDirectly(segment.start(), segment.slotOffset(0) - segment.start());
    segment.memory().forceDirectly(segment.slotOffset(0), (long) chunks * SegmentLayout.CHUNK);
    List<Found> found = scan(segment, chunks);
    found.sort(Comparator.comparingLong(Found::sequence).reversed());
    List<Integer> taken = new ArrayList<>(found.size());
    inBatches(found, each -> take(segment, each, taken));
    change(() -> space.ready(segment));
    inBatches(taken, entries::restore);
  }

  private <T> void inBatches(List<T> all, Consumer<T> action) {
    for (int from = 0; from < all.size(); from += BATCH) {
      List<T> batch = all.subList(from, Math.min(all.size(), from + BATCH));
      change(() -> batch.forEach(action));
    }
  }

  /** The sound slots of a segment; ends the others. Nobody else changes the segment meanwhile. */
  private List<Found> scan(Segment segment, int chunks) {
    Region region = segment.memory().region();
    long salt = segment.memory().salt();
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < chunks * SegmentLayout.CHUNK_SLOTS; i++) {
      long at = segment.slotOffset(i);
      long sequence = SlotLayout.sequence(region, at);
      if (sequence == 0) {
        continue;
      }
      Found entry = new Found(i, sequence, SlotLayout.place(region, at), granules(region, at));
      if (!SlotLayout.valid(region, at, salt, sequence) || !isInside(segment, entry)) {
        counters.damaged.increment();
        kill(segment, at);
      } else if (!superblocks.state().admits(sequence)) {
        kill(segment, at);
      } else {
        found.add(entry);
      }
    }
    return found;
  }

  private static int granules(Region region, long at) {
    int key = SlotLayout.keyLength(region, at);
    int value = SlotLayout.valueLength(region, at);
    return key < 0 || value < 0 ? -1 : Slots.granules(key, value);
  }

  private static boolean isInside(Segment segment, Found entry) {
    return entry.granules() > 0
        && entry.place() >= segment.tableEnd()
        && (long) entry.place() + entry.granules() <= segment.memory().segmentGranules();
  }

  private static void kill(Segment segment, long at) {
    SlotLayout.kill(segment.memory().region(), at);
    segment.memory().forceDirectly(at, Long.BYTES);
  }

  /** The newest entries come first: of two that overlap, the older one's block was reused. */
  private void take(Segment segment, Found entry, List<Integer> taken) {
    if (!segment.free().isFree(entry.place(), entry.granules())) {
      counters.damaged.increment();
      kill(segment, segment.slotOffset(entry.index()));
      return;
    }
    segment.free().take(entry.place(), entry.granules());
    segment.use(entry.index());
    int slot = segment.slot(entry.index());
    slots.pins().allocate(slot);
    taken.add(slot);
  }
}
