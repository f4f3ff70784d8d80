package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.log.EntrySink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;

/**
 * Applies the entries of the log to the home image in their order, while the heap is opened. Used
 * instead of {@link io.everheap.engine.log.Redo} if too many pages change, or if there is no memory
 * for an index. When private pages exceed the limit, they are spilled to the file. Used by one
 * thread.
 */
final class Replay implements EntrySink {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Home home;
  private final LongSupplier maxPages;
  private final Runnable spill;
  private long compared; // private pages that were compared with the maximum last

  /**
   * Creates a replay into a home image.
   *
   * @param home an image that contains all addresses in the log
   * @param maxPages returns the maximum number of private pages
   * @param spill called between two transactions when there are more private pages
   */
  Replay(Home home, LongSupplier maxPages, Runnable spill) {
    this.home = home;
    this.maxPages = maxPages;
    this.spill = spill;
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    long bytes = 8L * words;
    if (words == 1) { // the most frequent case in small transactions
      home.putLong(address, source.get(LONG, offset));
      home.markDirty(address, 8);
      return;
    }
    long extent = 1L << home.extentShift();
    while (bytes > 0) {
      long n = Math.min(bytes, extent - home.offset(address));
      home.mapped(address).copyFrom(home.offset(address), source, offset, n);
      home.markDirty(address, n);
      address += n;
      offset += n;
      bytes -= n;
    }
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    for (long i = 0; i < times; i++) {
      home.putLong(address + i * stride, value);
      home.markDirty(address + i * stride, 8);
    }
  }

  @Override
  public void committed(long lsn) {
    long pages = home.privatePages();
    if (pages != compared) {
      compared = pages;
      if (pages > maxPages.getAsLong()) {
        spill.run();
      }
    }
  }
}
