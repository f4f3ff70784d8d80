package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.PageSet;
import io.everheap.engine.log.EntrySink;
import io.everheap.error.MediumException;
import io.everheap.memory.Region;
import io.everheap.memory.Threads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Copies the pages that a replay will change to memory before it starts, on all processors and in
 * the order of their addresses. The replay meets them one by one in any order, and most of its time
 * would be the faults: a private page is copied when it is first stored to.
 *
 * <p>As a sink it notes the pages while the log is read for the first time. Nothing depends on what
 * it does: a page that it leaves out is copied when replay comes to it.
 */
final class PagesAhead implements EntrySink {
  /** Fewer are not worth the threads. */
  static final int LEAST = 1024;

  private static final int MOST_THREADS = 8;
  private static final int SLICE = 2048;

  private final long size;
  private final PageSet pages;

  /**
   * No pages so far.
   *
   * @param size of the home file
   */
  PagesAhead(long size, int extentShift) {
    this.size = size;
    this.pages = new PageSet(extentShift, Math.toIntExact((size >>> extentShift) + 1));
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    add(address, 8L * words);
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    if (stride <= HomeLayout.CHUNK_SIZE / times) {
      add(address, stride * (times - 1) + 8);
    }
  }

  /** What lies outside is for the replay to refuse. */
  private void add(long address, long bytes) {
    if (address >= 0 && bytes <= size && address <= size - bytes) {
      pages.add(address, bytes);
    }
  }

  /**
   * Copies the pages, unless they are few or too many.
   *
   * @param most pages that may be in memory
   */
  void fetch(Home home, long most) {
    if (pages.count() < LEAST || pages.count() > most) {
      return;
    }
    long[] wanted = pages.toArray();
    var next = new AtomicInteger();
    int others = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()) - 1;
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < others; i++) {
        Thread thread =
            Thread.ofPlatform()
                .daemon()
                .name("everheap-recovery-" + i)
                .unstarted(() -> fetch(home, wanted, next));
        Threads.start(thread);
        threads.add(thread);
      }
    } catch (MediumException e) {
      // No more threads are to be had: those that run suffice.
    }
    try {
      fetch(home, wanted, next);
    } finally {
      threads.forEach(Threads::join);
    }
  }

  private static void fetch(Home home, long[] wanted, AtomicInteger next) {
    try {
      int from = next.getAndAdd(SLICE);
      while (from < wanted.length) {
        for (int i = from; i < Math.min(wanted.length, from + SLICE); i++) {
          copy(home, wanted[i] * HomeLayout.PAGE_SIZE);
        }
        from = next.getAndAdd(SLICE);
      }
    } catch (IndexOutOfBoundsException | InternalError e) {
      // A page that cannot be read: the replay comes to it and says so.
    }
  }

  private static void copy(Home home, long address) {
    Region region = home.extent(address);
    if (region != null) {
      region.touch(home.offset(address));
    }
  }
}
