package io.everheap.testkit.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bytes of a file that a power loss may take back: for each unit (a granule of 8 bytes, a
 * sector of 512, a page of 4096) that changed since it was last made durable, its earlier versions,
 * the durable one first. The newest version is the file's content itself.
 *
 * <p>Units that a failed sync left behind count as clean, so that a later sync does not write them,
 * although their newest bytes may never have reached the disk; they stay here until they are
 * written and synced again. Guarded by the medium's lock.
 */
public final class Undurable {
  private final int unit;
  private final int line;
  private final int kept;
  private final boolean sampled;
  private final Map<Long, PageOfUnits> pages;

  /**
   * Tracks nothing yet.
   *
   * @param unit bytes that change as a whole
   * @param line bytes that become durable together, a multiple of the unit
   * @param kept versions that are remembered for each unit, at least 2
   * @param sampled remember one version for each interval between syncs, not one for each change
   */
  Undurable(int unit, int line, int kept, boolean sampled) {
    this(unit, line, kept, sampled, new HashMap<>());
  }

  private Undurable(int unit, int line, int kept, boolean sampled, Map<Long, PageOfUnits> pages) {
    this.unit = unit;
    this.line = line;
    this.kept = kept;
    this.sampled = sampled;
    this.pages = pages;
  }

  /** A tracker of the same kind that tracks nothing yet. */
  Undurable empty() {
    return new Undurable(unit, line, kept, sampled);
  }

  /** A tracker in the same state; both share pages until one changes them. */
  Undurable copy() {
    pages.values().forEach(page -> page.shared = true);
    return new Undurable(unit, line, kept, sampled, new HashMap<>(pages));
  }

  /**
   * Receives a unit, its earlier versions, the durable one first, and the moment at which its page
   * changed.
   */
  interface Visitor {
    void unit(long position, List<byte[]> earlier, long changed);
  }

  int unit() {
    return unit;
  }

  /** Visits all units in the order of their positions. */
  void forEach(Visitor visitor) {
    new TreeMap<>(pages)
        .forEach(
            (start, page) -> {
              for (int i = page.any.nextSetBit(0); i >= 0; i = page.any.nextSetBit(i + 1)) {
                visitor.unit(start + (long) i * unit, page.versions(i), page.changed);
              }
            });
  }

  /** Bytes of one page are about to change. */
  void before(FileContent content, long position, long length, long interval) {
    PageOfUnits page = page(position);
    page.changed = content.medium.points();
    int last = index(position + length - 1);
    for (int i = index(position); i <= last; i++) {
      if (!page.any.get(i)) {
        page.start(i, content, interval);
      } else if (!sampled || page.interval != interval) {
        page.add(i, content, interval);
      }
      page.lost.clear(i);
    }
  }

  /** Bytes were written that are there already: nothing changes, but a sync will write them. */
  void rewritten(long position, long length) {
    if (pages.containsKey(position / Page.SIZE * Page.SIZE)) {
      page(position).lost.clear(index(position), index(position + length - 1) + 1);
    }
  }

  /** A range, widened to whole lines, became durable. */
  void persist(long position, long length) {
    long from = position / line * line;
    long to = (position + length + line - 1) / line * line;
    for (Long start : overlapped(from, to)) {
      PageOfUnits page = page(start);
      int first = (int) (Math.max(from - start, 0) / unit);
      int end = (int) (Math.min(to - start, Page.SIZE) / unit);
      page.any.clear(first, end);
      page.lost.clear(first, end);
      if (page.any.isEmpty()) {
        pages.remove(start);
      }
    }
  }

  /** Whole units inside of a range became durable. */
  void persistWithin(long position, long length) {
    long from = (position + unit - 1) / unit * unit;
    long to = (position + length) / unit * unit;
    if (from < to) {
      persist(from, to - from);
    }
  }

  /** Everything that counts as dirty became durable. */
  void persistAll() {
    for (Long start : List.copyOf(pages.keySet())) {
      PageOfUnits page = page(start);
      page.any.and(page.lost);
      if (page.any.isEmpty()) {
        pages.remove(start);
      }
    }
  }

  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** Everything that was dirty counts as clean, whatever of it became durable. */
  void loseAll() {
    for (Long start : List.copyOf(pages.keySet())) {
      PageOfUnits page = page(start);
      page.lost.or(page.any);
    }
  }

  /** How many lines a range touches. */
  long lines(long position, long length) {
    return (position + length + line - 1) / line - position / line;
  }

  /** How many of these hold something that a power loss could take back. */
  long dirtyLines(long position, long length) {
    long from = position / line * line;
    long to = (position + length + line - 1) / line * line;
    long dirty = 0;
    for (Long start : overlapped(from, to)) {
      PageOfUnits page = pages.get(start);
      long end = Math.min(to, start + Page.SIZE);
      for (long at = Math.max(from, start); page != null && at < end; at += line) {
        int next = page.any.nextSetBit((int) (at - start) / unit);
        dirty += next >= 0 && start + (long) next * unit < at + line ? 1 : 0;
      }
    }
    return dirty;
  }

  void addTo(Hash hash) {
    new TreeMap<>(pages)
        .forEach(
            (start, page) -> {
              hash.add(start);
              hash.add(page.lost.hashCode());
              for (int i = page.any.nextSetBit(0); i >= 0; i = page.any.nextSetBit(i + 1)) {
                hash.add(i);
                page.versions(i).forEach(hash::add);
              }
            });
  }

  private List<Long> overlapped(long from, long to) {
    List<Long> starts = new ArrayList<>();
    long first = from / Page.SIZE * Page.SIZE;
    if ((to - first) / Page.SIZE > pages.size()) {
      pages.keySet().stream().filter(at -> at >= first && at < to).forEach(starts::add);
    } else {
      for (long at = first; at < to; at += Page.SIZE) {
        if (pages.containsKey(at)) {
          starts.add(at);
        }
      }
    }
    return starts;
  }

  private int index(long position) {
    return (int) (position % Page.SIZE) / unit;
  }

  /** The page, not shared with any copy. */
  private PageOfUnits page(long position) {
    long start = position / Page.SIZE * Page.SIZE;
    PageOfUnits page = pages.get(start);
    if (page == null || page.shared) {
      page = page == null ? new PageOfUnits(start) : new PageOfUnits(page);
      pages.put(start, page);
    }
    return page;
  }

  /** The units of one page. */
  private final class PageOfUnits {
    private final long start;
    private final byte[] durable;
    private final BitSet any;
    private final BitSet lost;
    private final Map<Integer, List<byte[]>> between;
    private long interval;
    private long changed;
    private int dropped;
    private boolean shared;

    PageOfUnits(long start) {
      this.start = start;
      this.durable = new byte[Page.SIZE];
      this.any = new BitSet();
      this.lost = new BitSet();
      this.between = new HashMap<>();
    }

    PageOfUnits(PageOfUnits other) {
      this.start = other.start;
      this.durable = other.durable.clone();
      this.any = (BitSet) other.any.clone();
      this.lost = (BitSet) other.lost.clone();
      this.between = new HashMap<>(other.between);
      this.interval = other.interval;
      this.changed = other.changed;
      this.dropped = other.dropped;
    }

    void start(int i, FileContent content, long now) {
      content.copy(start + (long) i * unit, durable, i * unit, unit);
      any.set(i);
      between.remove(i);
      interval = now;
    }

    void add(int i, FileContent content, long now) {
      interval = now;
      byte[] version = new byte[unit];
      content.copy(start + (long) i * unit, version, 0, unit);
      List<byte[]> known = between.getOrDefault(i, List.of());
      byte[] newest = known.isEmpty() ? durable(i) : known.getLast();
      if (!Arrays.equals(newest, version)) {
        List<byte[]> more = new ArrayList<>(known);
        if (more.size() == kept - 1) {
          more.remove(dropped++ % more.size()); // the durable version and the latest stay
        }
        more.add(version);
        between.put(i, List.copyOf(more));
      }
    }

    List<byte[]> versions(int i) {
      List<byte[]> versions = new ArrayList<>();
      versions.add(durable(i));
      versions.addAll(between.getOrDefault(i, List.of()));
      return versions;
    }

    private byte[] durable(int i) {
      return Arrays.copyOfRange(durable, i * unit, (i + 1) * unit);
    }
  }
}
