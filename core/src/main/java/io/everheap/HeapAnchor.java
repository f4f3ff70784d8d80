package io.everheap;

import io.everheap.engine.Engine;
import io.everheap.error.CorruptHeapException;
import io.everheap.heap.OpenHeap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in the history of a heap, to be kept elsewhere: an opening that is given it refuses a
 * heap that is older ({@link HeapBuilder#notOlderThan}). The files of an earlier moment, all put
 * back together, can be told from the present ones in no other way. Its text contains no secret.
 *
 * @param history the heap and its history, which a restored backup does not share
 * @param lsn end of the log when the anchor was taken
 */
public record HeapAnchor(String history, long lsn) {
  /** Checks that there is a history. */
  public HeapAnchor {
    Objects.requireNonNull(history, "history");
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
    return new HeapAnchor(engine.superblock().history(), engine.log().durable());
  }

  /** Refuses a heap that does not reach this anchor, which may not be there. */
  static void require(@Nullable HeapAnchor anchor, Engine engine) {
    if (anchor == null) {
      return;
    }
    String found = engine.superblock().history();
    long end = engine.recovery().endLsn();
    if (!anchor.history.equals(found) || end < anchor.lsn) {
      throw new CorruptHeapException(
          "The heap at "
              + engine.location()
              + " is older than its anchor, or another one: it ends at "
              + new HeapAnchor(found, end)
              + ", and the anchor is "
              + anchor
              + ". Its files were replaced by those of an earlier moment. If that was a restored"
              + " copy, open it without the anchor, or with a new one.");
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
    int at = text.lastIndexOf('@');
    if (at < 0) {
      throw new IllegalArgumentException("not an anchor of a heap: " + text);
    }
    try {
      return new HeapAnchor(text.substring(0, at), Long.parseLong(text.substring(at + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not an anchor of a heap: " + text, e);
    }
  }

  @Override
  public String toString() {
    return history + "@" + lsn;
  }
}
