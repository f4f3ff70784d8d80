package io.everheap.salvage;

import io.everheap.stability.Evolving;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link Salvage} saved, and what is lost.
 *
 * @param roots one for each root that was found, in no order
 * @param regions one for each region beside the heap
 * @param notes what is wrong with the heap as a whole
 * @param oneState whether everything saved belongs to one committed state, as far as the files
 *     prove it; if not, entries may be from different moments
 * @param transactions that the log added to the home image
 * @param appliedLsn the log was applied up to here
 * @param knownLsn the log had reached at least this; what lies between is lost
 * @param unreadable ranges of files that the operating system could not read
 * @param unassigned nodes of maps and sets that could not be given to one; their entries are lost
 * @since 0.9
 */
@Evolving
public record SalvageReport(
    List<Root> roots,
    List<Region> regions,
    List<String> notes,
    boolean oneState,
    long transactions,
    long appliedLsn,
    long knownLsn,
    List<Range> unreadable,
    long unassigned) {

  /** More keys and reasons than these are counted, but not listed. */
  public static final int MAX_LISTED = 100;

  /** Copies the lists. */
  public SalvageReport {
    roots = List.copyOf(roots);
    regions = List.copyOf(regions);
    notes = List.copyOf(notes);
    unreadable = List.copyOf(unreadable);
  }

  /** Whether nothing is lost, doubtful or unproved. */
  public boolean complete() {
    return oneState
        && notes.isEmpty()
        && unreadable.isEmpty()
        && unassigned == 0
        && regions.stream().allMatch(Region::complete)
        && roots.stream().allMatch(Root::complete);
  }

  /** Entries saved, of all roots. */
  public long saved() {
    return roots.stream().mapToLong(Root::saved).sum();
  }

  /** Entries lost, of all roots, as far as their counts tell. */
  public long lost() {
    return roots.stream().mapToLong(Root::lost).sum();
  }

  /**
   * Bytes that could not be read.
   *
   * @param file relative to the heap's directory
   * @param offset in bytes
   * @param length in bytes
   */
  public record Range(String file, long offset, long length) {}

  /**
   * The result for one region, which is outside of transactions.
   *
   * @param name in both heaps
   * @param bytes its size in the new heap; -1 if it is not there
   * @param reasons what is lost or doubtful, and why
   */
  public record Region(String name, long bytes, List<String> reasons) {
    /** Copies the list. */
    public Region {
      reasons = List.copyOf(reasons);
    }

    /** Whether nothing is lost or doubtful. */
    public boolean complete() {
      return reasons.isEmpty();
    }
  }

  /**
   * The result for one root.
   *
   * @param name in the new heap; {@code salvaged-1} and so on if the name was lost
   * @param kind of structure: {@code map}; empty if that is lost
   * @param types names of the types of its parts, made up where they were lost
   * @param expected the number of entries according to its header and those of the structures
   *     within it; -1 if that is lost
   * @param saved entries in the new heap
   * @param byScan how many of them were found outside of their chains
   * @param doubtful how many of them may not be what was stored last
   * @param doubtfulKeys their keys, as text; at most {@link #MAX_LISTED}
   * @param reasons why entries are lost or doubtful; at most {@link #MAX_LISTED}
   */
  public record Root(
      String name,
      String kind,
      Map<String, String> types,
      long expected,
      long saved,
      long byScan,
      long doubtful,
      List<String> doubtfulKeys,
      List<String> reasons) {
    /** Copies the lists. */
    public Root {
      types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
      doubtfulKeys = List.copyOf(doubtfulKeys);
      reasons = List.copyOf(reasons);
    }

    /** How many entries are lost, as far as the count tells. */
    public long lost() {
      return Math.max(0, expected - saved);
    }

    /** Whether nothing is lost or doubtful. */
    public boolean complete() {
      return expected == saved && doubtful == 0 && reasons.isEmpty();
    }
  }
}
