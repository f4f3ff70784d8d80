package io.everheap.report;

import io.everheap.stability.Evolving;
import java.util.List;

/**
 * What a scrub of a heap's pages found.
 *
 * @param pages that were read
 * @param damaged those that do not match their checksums, repaired ones included
 * @param torn whether the heap was not closed: then some of the damaged pages may be torn ones,
 *     which its log repairs when it is opened
 * @since 0.9
 */
@Evolving
public record ScrubReport(long pages, List<Page> damaged, boolean torn) {
  /** Copies the list. */
  public ScrubReport {
    damaged = List.copyOf(damaged);
  }

  /**
   * A damaged page.
   *
   * @param number of the page in the home image, in units of 4096 bytes
   * @param message what is wrong
   * @param repaired the location of the copy that it was repaired from; empty if it was not
   */
  public record Page(long number, String message, String repaired) {}

  /** Whether all pages match their checksums now. */
  public boolean ok() {
    return damaged.stream().noneMatch(page -> page.repaired().isEmpty());
  }
}
