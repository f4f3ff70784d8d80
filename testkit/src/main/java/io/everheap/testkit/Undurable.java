package io.everheap.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The bytes of a file that a power loss may take back: for each unit (a granule of 8 bytes, a
 * sector of 512, a page of 4096) that changed since it was last made durable, its earlier versions,
 * the durable one first. The newest version is the file's content itself.
 *
 * <p>Units that a failed sync left behind count as clean, so that a later sync does not write them,
 * although their newest bytes may never have reached the disk; they stay here until they are
 * changed and synced again.
 */
final class Undurable {
  private final int unit;
  private final int line;
  private final int kept;
  private final boolean sampled;
  private final NavigableMap<Long, Versions> dirty = new TreeMap<>();
  private final NavigableMap<Long, Versions> lost = new TreeMap<>();

  /**
   * Tracks nothing yet.
   *
   * @param unit bytes that change as a whole
   * @param line bytes that become durable together, a multiple of the unit
   * @param kept versions that are remembered for each unit, at least 2
   * @param sampled remember one version for each interval between syncs, not one for each change
   */
  Undurable(int unit, int line, int kept, boolean sampled) {
    this.unit = unit;
    this.line = line;
    this.kept = kept;
    this.sampled = sampled;
  }

  /** Bytes are about to change. */
  void before(FileContent content, long position, long length, long interval) {
    for (long at = position / unit * unit; at < position + length; at += unit) {
      Versions versions = dirty.get(at);
      if (versions == null) {
        versions = lost.remove(at);
        versions = versions == null ? new Versions() : versions;
        dirty.put(at, versions);
      } else if (sampled && versions.interval == interval) {
        continue;
      }
      versions.interval = interval;
      versions.add(content.bytes(at, unit), kept);
    }
  }

  /** A range, widened to whole lines, became durable; an aligned range is not widened. */
  void persist(long position, long length) {
    long from = position / line * line;
    long to = (position + length + line - 1) / line * line;
    dirty.subMap(from, to).clear();
    lost.subMap(from, to).clear();
  }

  /** Whole units inside of a range became durable, by a write through the page cache. */
  void persistWithin(long position, long length) {
    long from = (position + unit - 1) / unit * unit;
    long to = (position + length) / unit * unit;
    if (from < to) {
      persist(from, to - from);
    }
  }

  /** Everything that counts as dirty became durable. */
  void persistAll() {
    dirty.clear();
  }

  /** Everything that was dirty counts as clean, whatever of it became durable. */
  void loseAll() {
    lost.putAll(dirty);
    dirty.clear();
  }

  /** Bytes in a range, widened to lines, that a power loss could take back. */
  boolean covers(long position, long length) {
    long from = position / line * line;
    long to = (position + length + line - 1) / line * line;
    return !dirty.subMap(from, to).isEmpty() || !lost.subMap(from, to).isEmpty();
  }

  int unit() {
    return unit;
  }

  /** The earlier versions of each unit as they are now. */
  NavigableMap<Long, List<byte[]>> versions() {
    NavigableMap<Long, List<byte[]>> all = new TreeMap<>();
    lost.forEach((at, versions) -> all.put(at, List.copyOf(versions.earlier)));
    dirty.forEach((at, versions) -> all.put(at, List.copyOf(versions.earlier)));
    return all;
  }

  /** A tracker of the same kind that tracks nothing yet. */
  Undurable empty() {
    return new Undurable(unit, line, kept, sampled);
  }

  /** A tracker in the same state. */
  Undurable copy() {
    Undurable copy = empty();
    dirty.forEach((at, versions) -> copy.dirty.put(at, versions.copy()));
    lost.forEach((at, versions) -> copy.lost.put(at, versions.copy()));
    return copy;
  }

  private static final class Versions {
    final List<byte[]> earlier = new ArrayList<>(1);
    long interval = -1;
    private int dropped;

    void add(byte[] version, int kept) {
      if (!earlier.isEmpty() && Arrays.equals(earlier.getLast(), version)) {
        return;
      }
      if (earlier.size() == kept) {
        // The durable version and the latest stay; what goes in between rotates.
        earlier.remove(1 + dropped++ % (kept - 1));
      }
      earlier.add(version);
    }

    Versions copy() {
      var copy = new Versions();
      copy.earlier.addAll(earlier);
      copy.interval = interval;
      copy.dropped = dropped;
      return copy;
    }
  }
}
