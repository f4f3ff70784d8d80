package io.everheap;

import io.everheap.engine.Engine;
import io.everheap.engine.FoundHeap;
import io.everheap.engine.home.PageState;
import io.everheap.error.CorruptException;
import io.everheap.heap.OpenHeap;
import io.everheap.stability.Stable;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the history of a heap, to be kept elsewhere: an opening that is given it refuses a
 * heap that is older ({@link HeapBuilder#notOlderThan}). The files of an earlier moment, all put
 * back together, can be told from the present ones in no other way. Its text contains no secret.
 *
 * @param history the heap and its history, which a restored backup does not share
 * @param lsn end of the log when the anchor was taken
 * @param checkpoint LSN of the last checkpoint before it; 0 if it is not known
 * @param pages digest of the pages as of that checkpoint, with a key of the heap; empty if the heap
 *     is not encrypted
 * @since 0.9
 */
@Stable
public record HeapAnchor(String history, long lsn, long checkpoint, String pages) {
  private static final Pattern TEXT =
      Pattern.compile("(?<history>.+)@(?<lsn>\\d+)(#(?<checkpoint>\\d+)-(?<pages>[0-9a-f]+))?");

  /** Checks that there is a history. */
  public HeapAnchor {
    Objects.requireNonNull(history, "history");
    Objects.requireNonNull(pages, "pages");
  }

  /** An anchor without a digest of the pages, as of a heap in plaintext. */
  public HeapAnchor(String history, long lsn) {
    this(history, lsn, 0, "");
  }

  /**
   * Takes an anchor of an open heap; first waits until all that was committed is durable.
   *
   * @param heap open
   * @return an anchor that this heap has from now on
   */
  public static HeapAnchor of(Heap heap) {
    heap.sync();
    Engine engine = OpenHeap.engine(heap);
    String history = engine.superblock().history();
    PageState pages = engine.pages(); // before the LSN, which is never behind it then
    long lsn = engine.log().durable();
    return pages == null
        ? new HeapAnchor(history, lsn)
        : new HeapAnchor(history, lsn, pages.lsn(), pages.digest());
  }

  /** Refuses a heap that does not reach this anchor. */
  void requireIn(FoundHeap found) {
    PageState its = found.pages();
    boolean isOlder = !history.equals(found.history()) || found.end() < lsn;
    boolean hasOtherPages =
        found.checkpoint() < checkpoint
            || (its != null && its.contradicts(new PageState(checkpoint, pages)));
    if (isOlder || hasOtherPages) {
      throw CorruptException.heap(
          "The heap at "
              + found.location()
              + (isOlder
                  ? " is older than its anchor, or another one"
                  : " has other pages than its anchor")
              + ": it ends at "
              + new HeapAnchor(found.history(), found.end())
              + ", and the anchor is "
              + this
              + ". Its files were replaced by those of an earlier moment. Nothing was changed. If"
              + " that was a restored copy, open it without the anchor, or with a new one; restore"
              + " all shards of a store together.");
    }
  }

  /**
   * Reads what {@link #toString} returned.
   *
   * @param text of an anchor
   * @return the anchor
   * @throws IllegalArgumentException if it is no anchor
   */
  public static HeapAnchor parse(String text) {
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException("not an anchor of a heap: " + text);
    }
    try {
      long lsn = Long.parseLong(m.group("lsn"));
      return m.group("pages") == null
          ? new HeapAnchor(m.group("history"), lsn)
          : new HeapAnchor(
              m.group("history"), lsn, Long.parseLong(m.group("checkpoint")), m.group("pages"));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not an anchor of a heap: " + text, e);
    }
  }

  @Override
  public String toString() {
    return history + "@" + lsn + (pages.isEmpty() ? "" : "#" + checkpoint + "-" + pages);
  }
}
