package io.everheap.cache.store;

import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.table.LongestRuns;
import io.everheap.cache.table.Pins;
import io.everheap.error.DiskFullException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives out blocks and slots of all segments. A block is always one run. Guarded by the cache's
 * lock.
 */
final class Space {
  private static final System.Logger LOG = System.getLogger(Space.class.getName());
  private static final long RETRY_NANOS = 10_000_000_000L;

  /** How many segments are looked at for the cheapest window. */
  private static final int CANDIDATES = 8;

  private final Slots slots;
  private final Segment[] segments;
  private final LongestRuns runs;

  /** The runs of segments without a free slot, whose table grows if entries are evicted. */
  private final LongestRuns stuck;

  /** Segments whose table a {@linkplain Segment#blocker slot} keeps from growing. */
  private final Queue<Segment> blocked = new ArrayDeque<>();

  private long looks;
  private final NavigableSet<Segment> fresh =
      new TreeSet<>(Comparator.comparingInt(Segment::number));
  private int cursor;
  private int ready;
  private boolean diskFull;
  private long retryAt;

  /** A block that was given out, and its slot. */
  record Block(int slot, Segment segment, int place, int granules) {
    /** Where it starts in the file. */
    long offset() {
      return segment.granuleOffset(place);
    }
  }

  /** The segments of all files, in turn, so that the files fill evenly. */
  Space(Slots slots, List<CacheFile> files) {
    this.slots = slots;
    List<Segment> all = new ArrayList<>();
    int most = files.stream().mapToInt(CacheFile::segmentCount).max().orElse(0);
    for (int i = 0; i < most; i++) {
      for (int file = 0; file < files.size(); file++) {
        CacheFile memory = files.get(file);
        if (i < memory.segmentCount()) {
          all.add(new Segment(all.size(), file, memory, memory.start(i)));
        }
      }
    }
    segments = all.toArray(Segment[]::new);
    runs = new LongestRuns(segments.length);
    stuck = new LongestRuns(segments.length);
  }

  int segmentCount() {
    return segments.length;
  }

  Segment segment(int number) {
    return segments[number];
  }

  /** The largest block that fits into an empty segment. */
  long maxBlock() {
    return SegmentLayout.maxBlock(segments[0].memory().identity().segmentSize());
  }

  /** All granules of all segments. */
  long granules() {
    long all = 0;
    for (Segment segment : segments) {
      all += segment.memory().segmentGranules();
    }
    return all;
  }

  /** The granules that are free in segments in use. */
  long freeGranules() {
    long all = 0;
    for (Segment segment : segments) {
      all += segment.free().total();
    }
    return all;
  }

  /** The granules of the largest block that fits without an eviction. */
  int longestRun() {
    int ofFresh = fresh.isEmpty() ? 0 : SegmentLayout.granules(maxBlock());
    return Math.max(ofFresh, runs.longest());
  }

  /** The granules of segments that were never used. */
  long freshGranules() {
    long all = 0;
    for (Segment segment : fresh) {
      all += segment.memory().segmentGranules();
    }
    return all;
  }

  /** Whether some segment gives out space, or can. */
  boolean isUsable() {
    return ready > 0 || !fresh.isEmpty();
  }

  /** A segment's entries are known, and what they leave free can be given out. */
  void ready(Segment segment) {
    segment.condition(Segment.Condition.READY);
    ready++;
    changed(segment);
  }

  /** A segment was never used, or holds nothing that can be read. */
  void addFresh(Segment segment) {
    segment.condition(Segment.Condition.FRESH);
    fresh.add(segment);
  }

  /**
   * A segment's free runs changed. While it is read they also hold what entries take that were not
   * added yet, and nothing of it is given out. Runs that no slot can use are not offered either: a
   * search would find them again at each insertion.
   */
  void changed(Segment segment) {
    if (segment.condition() == Segment.Condition.READY) {
      boolean lacks = segment.lacksSlots();
      int longest = segment.free().longest();
      runs.set(segment.number(), lacks ? 0 : longest);
      boolean clearable = lacks && segment.blocker() < 0 && segment.isLargerThanTable();
      stuck.set(segment.number(), clearable ? longest : 0);
    }
  }

  /** How many entries were looked at for tables and windows, of all segments together. */
  long looks() {
    return looks;
  }

  /**
   * Takes a block and a slot from what is free.
   *
   * @param evict ends the entry in a slot that a table needs to grow; null to evict no entry
   * @return null if no run is long enough, or none in a segment with a slot
   */
  @Nullable Block take(int keyLength, int valueLength, @Nullable IntPredicate evict) {
    int granules = Slots.granules(keyLength, valueLength);
    while (true) {
      int number = runs.find(granules);
      if (number >= 0) {
        Segment segment = segments[number];
        int slot = segment.takeSlot();
        if (slot >= 0) {
          return block(segment, slot, granules, keyLength, valueLength);
        }
        segment.grow(slots);
        changed(segment);
      } else if (evict == null || !clearForTable(granules, evict)) {
        return null;
      }
    }
  }

  /**
   * Evicts the entries that keep the table of a segment from growing, in the first segment that has
   * a long enough free run.
   *
   * @return whether the table of one can grow now
   */
  private boolean clearForTable(int granules, IntPredicate evict) {
    recheckBlocked();
    while (true) {
      int number = stuck.find(granules);
      if (number < 0) {
        return false;
      }
      Segment segment = segments[number];
      int blocker = clearForTable(segment, evict);
      if (segment.canGrow()) {
        changed(segment);
        return true;
      }
      segment.blocker(blocker);
      blocked.add(segment);
      changed(segment);
    }
  }

  /** Looks again at some of the segments whose table a pinned entry kept from growing. */
  private void recheckBlocked() {
    for (int i = Math.min(CANDIDATES, blocked.size()); i > 0; i--) {
      Segment segment = blocked.remove();
      if (segment.lacksSlots() && isFixed(segment.blocker())) {
        blocked.add(segment);
      } else {
        segment.blocker(-1);
        changed(segment);
      }
    }
  }

  /** Whether a slot is given out, or its entry is pinned or ended while it was pinned. */
  private boolean isFixed(int slot) {
    int word = slots.pins().word(slot);
    return Pins.state(word) != Pins.LIVE || Pins.count(word) > 0;
  }

  private Block block(Segment segment, int slot, int granules, int keyLength, int valueLength) {
    int place = segment.free().take(granules);
    if (place < 0) {
      throw new IllegalStateException(
          "segment " + segment.number() + " has less room than it tells");
    }
    changed(segment);
    slots.reserve(slot, place, keyLength, valueLength);
    return new Block(slot, segment, place, granules);
  }

  /** Gives a block and its slot back. */
  void give(int slot) {
    Segment segment = segments[slots.segment(slot)];
    segment.free().give(slots.place(slot), slots.weight(slot));
    segment.giveSlot(slots, slot);
    changed(segment);
  }

  /** How many segments give out space; never fewer than before. */
  int readyCount() {
    return ready;
  }

  /** A segment to be filled with zeros; null if there is none, or if the disk was full lately. */
  @Nullable Segment nextFresh() {
    boolean waits = diskFull && System.nanoTime() - retryAt < 0;
    return fresh.isEmpty() || waits ? null : fresh.first();
  }

  /** A segment was filled with zeros: it gives out space from now on. */
  void filled(Segment segment) {
    if (segment.condition() != Segment.Condition.FRESH) {
      throw new IllegalStateException("segment " + segment.number() + " gives out space already");
    }
    diskFull = false;
    segment.format(slots);
    boolean _ = fresh.remove(segment);
    ready(segment);
  }

  /** The disk has no room for another segment. */
  void diskFull(DiskFullException e) {
    if (!diskFull) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the cache cannot grow to its capacity, and goes on with {0} of {1} segments: {2}",
          segments.length - fresh.size(),
          segments.length,
          e.getMessage());
    }
    diskFull = true;
    retryAt = System.nanoTime() + RETRY_NANOS;
  }

  /**
   * Evicts the entries that keep the full table of a segment from growing, unless one is pinned.
   *
   * @return a slot whose entry stays
   */
  private int clearForTable(Segment segment, IntPredicate evict) {
    int end = segment.tableEnd() + SegmentLayout.CHUNK_GRANULES;
    List<Window.Item> behind = items(segment);
    behind.removeIf(item -> item.start() >= end);
    for (Window.Item item : behind) {
      if (item.fixed()) {
        return item.slot();
      }
    }
    int last = segment.slot(0);
    for (Window.Item item : behind) {
      last = item.slot();
      if (!evict.test(last)) {
        return last;
      }
    }
    return last;
  }

  /**
   * Evicts the entries of the cheapest window of a segment, so that a block fits there: what the
   * policy evicted left room, but nowhere enough of it.
   *
   * @param near a segment to look at first; -1 for none
   * @return whether a run is long enough now
   */
  boolean clear(int granules, int near, IntPredicate evict) {
    Window best = near < 0 ? null : window(segments[near], granules);
    int looked = best == null ? 0 : 1;
    for (int i = 0; i < segments.length && looked < CANDIDATES; i++) {
      cursor = (cursor + 1) % segments.length;
      Window window = window(segments[cursor], granules);
      if (window != null) {
        looked++;
        best = best == null || window.cost() < best.cost() ? window : best;
      }
    }
    return best != null && best.slots().stream().allMatch(evict::test);
  }

  private @Nullable Window window(Segment segment, int granules) {
    if (segment.condition() != Segment.Condition.READY) {
      return null;
    }
    List<Window.Item> items = items(segment);
    int end = segment.tableEnd() + SegmentLayout.CHUNK_GRANULES;
    boolean tableIsStuck =
        segment.isTableFull()
            && (end > segment.memory().segmentGranules()
                || items.stream().anyMatch(item -> item.fixed() && item.start() < end));
    Window window =
        Window.cheapest(items, segment.tableEnd(), segment.memory().segmentGranules(), granules);
    // Room alone is of no use without a slot, which an entry that ends leaves.
    return window != null && window.slots().isEmpty() && tableIsStuck ? null : window;
  }

  private List<Window.Item> items(Segment segment) {
    List<Window.Item> items = new ArrayList<>();
    segment.forEachUsed(
        slot -> {
          items.add(
              new Window.Item(
                  slot,
                  slots.place(slot),
                  slots.weight(slot),
                  isFixed(slot),
                  slots.frequency(slot)));
        });
    looks += items.size();
    return items;
  }
}
