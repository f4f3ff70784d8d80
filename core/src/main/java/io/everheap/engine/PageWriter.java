package io.everheap.engine;

import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Brings home pages to the medium without ever being ahead of the log. On a file: copies a round of
 * pages while transactions go on, waits until the log is durable up to the newest change that can
 * be in a copy, has that LSN recorded as what replay must reach, and only then writes the pages,
 * each with its checksum. On a byte-addressable medium the log is always durable, and the lines are
 * written back in place.
 *
 * <p>A copy may hold half of what a transaction stored, as the lines of a byte-addressable medium
 * may at any time: the checkpoint's LSN was taken before, so replay stores the whole again, and a
 * transaction stores nothing home before its record is in the log but into blocks that are free
 * without it.
 */
final class PageWriter {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final int LEAST_PAGES = 32;
  private static final int ROUND_PAGES = 2048;

  private final Home home;
  private final @Nullable CheckedPages checked;
  private final Log log;
  private final Transactions transactions;
  private final LongConsumer beginWriting;
  private ByteBuffer buffer;
  private MemorySegment segment;

  /**
   * A writer of pages.
   *
   * @param checked the pages of a file; none on a byte-addressable medium
   * @param beginWriting makes durable that pages are being written and replay must reach this LSN
   */
  PageWriter(
      Home home,
      @Nullable CheckedPages checked,
      Log log,
      Transactions transactions,
      LongConsumer beginWriting) {
    this.home = home;
    this.checked = checked;
    this.log = log;
    this.transactions = transactions;
    this.beginWriting = beginWriting;
    this.buffer = ByteBuffer.allocateDirect(checked == null ? 0 : LEAST_PAGES * PAGE);
    this.segment = MemorySegment.ofBuffer(buffer);
  }

  /** Writes these pages, ascending; the caller syncs the files afterwards. */
  void write(long[] pages) {
    CheckedPages file = checked;
    if (file == null) {
      force(pages);
      return;
    }
    int round = round(pages.length);
    for (int from = 0; from < pages.length; from += round) {
      int to = Math.min(pages.length, from + round);
      long newest = copy(pages, from, to);
      file.check(pages, from, to, home.written());
      log.awaitDurable(newest);
      beginWriting.accept(newest);
      file.write(pages, from, to, buffer, newest);
      home.markWritten(pages, from, to);
    }
  }

  /**
   * How many pages are copied at once; the buffer grows when there is more to write than before.
   */
  private int round(int pages) {
    int wanted = Math.min(ROUND_PAGES, Integer.highestOneBit(Math.max(pages, LEAST_PAGES) - 1) * 2);
    if (buffer.capacity() < wanted * PAGE) {
      try {
        buffer = ByteBuffer.allocateDirect(wanted * PAGE);
        segment = MemorySegment.ofBuffer(buffer);
      } catch (OutOfMemoryError e) {
        // Smaller rounds do as well.
      }
    }
    return buffer.capacity() / PAGE;
  }

  /** Copies pages; returns what the log must be durable up to before they may be written. */
  private long copy(long[] pages, int from, int to) {
    for (int i = from; i < to; i++) {
      home.copyOut(pages[i] * PAGE, segment, (long) (i - from) * PAGE, PAGE);
    }
    return newest();
  }

  /**
   * With the transaction over of which a copy may hold half: its record is in the log. If it failed
   * there, this may be in the middle of the record; but then the heap is poisoned, and that replay
   * must reach it is never written.
   */
  private long newest() {
    long[] newest = new long[1];
    transactions.quiesced(() -> newest[0] = log.appended());
    return newest[0];
  }

  private void force(long[] pages) {
    int start = 0;
    for (int i = 1; i <= pages.length; i++) {
      boolean ends =
          i == pages.length || pages[i] != pages[i - 1] + 1 || home.offset(pages[i] * PAGE) == 0;
      if (ends) {
        home.force(pages[start] * PAGE, (long) (i - start) * PAGE);
        start = i;
      }
    }
  }
}
