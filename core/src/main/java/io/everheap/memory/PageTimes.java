package io.everheap.memory;

/**
 * Divides the use of the pages of a file into times, so that a caller that remembers which pages
 * are in the page cache knows when to forget: the kernel does not say which it dropped.
 *
 * <p>A time ends when a quarter of the memory was filled. What was used in this time or the one
 * before is taken to be there, for no more than half of the memory was filled since. Times get
 * longer as long as few pages have to be read, for then there is more memory than was said; but not
 * so long that all pages of a file of twice the memory are used in one: it would never end, and not
 * be noticed if they are driven out.
 *
 * <p>That is not so when pages are driven out by something else, such as the surroundings of a page
 * that was wrongly taken to be there: one mistake makes the next more likely. So while many pages
 * have to be read, a time is short, and nothing is remembered beyond its end.
 */
public final class PageTimes {
  /** Bytes of a page, as a power of two. */
  static final int SHIFT = 12;

  private static final int TIMES = 4;
  private static final int LONGEST = 2 * TIMES; // of the least
  private static final long READ_NANOS = 20_000; // more than most looks into the page cache
  private static final int MANY = 16;
  private static final long SHORT_NANOS = 50_000_000;
  private static final int LINE = 16; // of a cache, in ints

  private final int least;
  private final long shortNanos;

  /** The number of the time, in a cache line of its own, for it is loaded at each access. */
  private final int[] time = new int[2 * LINE];

  // All of these change in races: a page more or less, or a longer time, is no harm.
  private int most;
  private int used;
  private int read;
  private long start = System.nanoTime();

  /**
   * The first time.
   *
   * @param memory bytes that pages may take
   */
  public PageTimes(long memory) {
    this(memory, SHORT_NANOS);
  }

  /** The same, with another length of short times. */
  PageTimes(long memory, long shortNanos) {
    this.shortNanos = shortNanos;
    this.least = Math.clamp((memory >>> SHIFT) / TIMES, 1, Integer.MAX_VALUE / LONGEST);
    this.most = least;
  }

  /**
   * Number of the time that it is now. It is one more than the one before, if what was used then is
   * still to be taken to be there.
   */
  int now() {
    return time[LINE];
  }

  /** Notes that a page that was used in the time before is used for the first time in this one. */
  void use() {
    int now = now();
    used++;
    if (used >= most) {
      end(now, 1, isMuchRead() ? least : Math.min(2 * most, LONGEST * least));
    }
  }

  /** Notes that pages were asked for, and how long it took to have them. */
  void use(int pages, long nanos) {
    int now = now();
    used += pages - 1;
    if (nanos > READ_NANOS) {
      read += pages;
      if (isMuchRead() && System.nanoTime() - start > shortNanos) {
        end(now, 2, least);
      }
    }
    use();
  }

  private boolean isMuchRead() {
    return read > used / MANY;
  }

  /** Ends a time, unless another thread did. */
  private synchronized void end(int now, int by, int length) {
    if (now == now()) {
      most = length;
      used = 0;
      read = 0;
      start = System.nanoTime();
      time[LINE] += by;
    }
  }
}
