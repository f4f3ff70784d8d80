package io.everheap.engine;

import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.MediumFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes home pages to the medium, never ahead of the log (write-ahead logging). On a file: copies
 * a round of pages while transactions go on, waits until the log is durable up to the newest change
 * that a copy can contain, records that LSN as the one that replay must reach, and only then writes
 * the pages with their checksums. On a byte-addressable medium the log is always durable, and the
 * cache lines are written back in place.
 *
 * <p>A copy may contain half of a transaction's stores, as the lines of a byte-addressable medium
 * may at any time. That is safe: the checkpoint's LSN was taken before, so replay repeats all of
 * these stores; and a transaction stores nothing to the home image before its record is in the log,
 * except to blocks that are free without the record.
 *
 * <p>Used by one checkpoint at a time.
 */
final class PageWriter {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);
  private static final int MIN_PAGES = 32;
  private static final int MAX_ROUND_PAGES = 2048;

  /** Copies of pages take at most this part of the memory for pages. */
  private static final int MEMORY_DIVISOR = 8;

  private final Home home;
  private final @Nullable CheckedPages checked;
  private final ChangedPages changes;
  private final Log log;
  private final Transactions transactions;
  private final Consumer<MediumFile> sync;
  private final LongConsumer beginWriting;

  /** Kept between writes. A write reads it once, since {@link #release} may replace it then. */
  private volatile ByteBuffer buffer;

  /**
   * Creates a page writer.
   *
   * @param checked the checksums of a file's pages; null on a byte-addressable medium
   * @param sync makes a file durable
   * @param beginWriting writes a superblock, durably, which says that pages are being written and
   *     that replay must reach this LSN
   */
  PageWriter(
      Home home,
      @Nullable CheckedPages checked,
      ChangedPages changes,
      Log log,
      Transactions transactions,
      Consumer<MediumFile> sync,
      LongConsumer beginWriting) {
    this.home = home;
    this.checked = checked;
    this.changes = changes;
    this.log = log;
    this.transactions = transactions;
    this.sync = sync;
    this.beginWriting = beginWriting;
    this.buffer = checked == null ? NONE : ByteBuffer.allocateDirect(MIN_PAGES * PAGE);
  }

  /** Writes pages, given in ascending order; the caller syncs the files afterwards. */
  void write(long[] pages) {
    changes.add(pages, 0, pages.length);
    CheckedPages file = checked;
    if (file == null) {
      force(pages);
      return;
    }
    ByteBuffer images = images(pages.length);
    MemorySegment segment = MemorySegment.ofBuffer(images);
    int round = images.capacity() / PAGE;
    for (int from = 0; from < pages.length; from += round) {
      int to = Math.min(pages.length, from + round);
      long newest = copy(pages, from, to, segment);
      file.check(pages, from, to, home.written());
      log.awaitDurable(newest);
      file.announce(pages, from, to, newest, sync);
      beginWriting.accept(newest);
      file.write(pages, from, to, images, newest);
      home.markWritten(pages, from, to);
    }
  }

  /**
   * The buffer for the pages to copy at once. It is enlarged if there are more pages than before,
   * and replaced if it is too large since other heaps share the memory.
   */
  private ByteBuffer images(int pages) {
    int max = maxRound();
    int wanted = Math.min(max, Integer.highestOneBit(Math.max(pages, MIN_PAGES) - 1) * 2);
    ByteBuffer images = buffer;
    if (images.capacity() < wanted * PAGE || images.capacity() > max * PAGE) {
      try {
        images = ByteBuffer.allocateDirect(wanted * PAGE);
        buffer = images;
      } catch (OutOfMemoryError e) {
        if (images.capacity() == 0) {
          throw e;
        }
        // The buffer keeps its size.
      }
    }
    return images;
  }

  private int maxRound() {
    long pages = home.memoryForPages() / MEMORY_DIVISOR / PAGE;
    return Math.clamp(Long.highestOneBit(pages), MIN_PAGES, MAX_ROUND_PAGES);
  }

  /**
   * Drops the buffer. A heap that is closed may stay reachable, and then its direct memory would
   * count for all heaps of the process. Any thread; a write that runs keeps its buffer.
   */
  void release() {
    buffer = NONE;
  }

  /** Copies pages; returns the LSN up to which the log must be durable before they are written. */
  private long copy(long[] pages, int from, int to, MemorySegment segment) {
    home.copyPages(pages, from, to, segment);
    return newest();
  }

  /**
   * The LSN of the newest change that a copy can contain. Waits for the running transaction, since
   * a copy may contain half of its stores: then its record is in the log. If it failed while it was
   * appended, this LSN may be inside the record; but then the heap is poisoned, and no superblock
   * with this LSN is written.
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
