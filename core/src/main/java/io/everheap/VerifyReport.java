package io.everheap;

import java.util.List;

/**
 * What {@link Heap#verify} found.
 *
 * @param problems none in a sound heap
 * @param roots checked
 * @param entries of collections checked
 * @param blocks allocated
 * @param bytes in these blocks
 */
public record VerifyReport(
    List<Problem> problems, long roots, long entries, long blocks, long bytes) {

  /** Copies the list. */
  public VerifyReport {
    problems = List.copyOf(problems);
  }

  /** Whether nothing was found. */
  public boolean ok() {
    return problems.isEmpty();
  }

  /**
   * Something that is not as it must be.
   *
   * @param kind what went wrong, in one or two words: "leak", "chain", "bitmap"
   * @param root name of the root that owns the place; empty if none does
   * @param where address or structure
   * @param message the finding
   */
  public record Problem(String kind, String root, String where, String message) {
    @Override
    public String toString() {
      return kind + " at " + where + (root.isEmpty() ? "" : " of root " + root) + ": " + message;
    }
  }
}
