package io.everheap.memory;

/**
 * Divides the use of a file's pages into periods, so that a caller that remembers which pages are
 * in the page cache knows when to forget them: the kernel does not report which pages it evicts.
 *
 * <p>A period ends when as many pages were used as a quarter of the memory holds. A page that was
 * used in this period or the previous one is assumed to be cached, since at most half of the memory
 * was filled since. While few pages must be read, periods get longer, because then there is more
 * memory than assumed; but not so long that a file of twice the memory fits into one period, which
 * would never end, so that evictions would go unnoticed.
 *
 * <p>The assumption fails if something else evicts pages, such as the read-ahead around a page that
 * was wrongly assumed to be cached: one mistake makes the next more likely. So while many pages
 * must be read, periods are short, and pages are forgotten at their end.
 *
 * <p>Used by many threads. Only the end of a period is synchronized; see the fields.
 */
public final class PageTimes {
  /** Bytes of a page, as a power of two. */
  static final int SHIFT = 12;

  /** The part of the memory that is used in the shortest period. */
  private static final int MEMORY_SHARE = 4;

  private static final int MAX_GROWTH = 2 * MEMORY_SHARE; // times the shortest period

  private static final long MISS_NANOS = 20_000; // more than most requests for cached pages take

  /** Pages are read often if more than this part of the used pages must be read. */
  private static final int MISS_SHARE = 16;

  private static final long SHORT_PERIOD_NANOS = 50_000_000;
  private static final int LINE = 16; // a cache line, in ints

  private final int minUses;
  private final long shortPeriodNanos;

  /** The number of the period, in a cache line of its own because each access loads it. */
  private final int[] period = new int[2 * LINE];

  // These change in races: a wrong count only makes a period shorter or longer.
  private int maxUses;
  private int uses;
  private int misses;
  private long start = System.nanoTime();

  /**
   * Begins the first period.
   *
   * @param memory that pages may take, in bytes
   */
  public PageTimes(long memory) {
    this(memory, SHORT_PERIOD_NANOS);
  }

  /** Begins the first period, with a given length of short periods. */
  PageTimes(long memory, long shortPeriodNanos) {
    this.shortPeriodNanos = shortPeriodNanos;
    this.minUses = Math.clamp((memory >>> SHIFT) / MEMORY_SHARE, 1, Integer.MAX_VALUE / MAX_GROWTH);
    this.maxUses = minUses;
  }

  /**
   * The number of the present period. It is one more than that of the previous one if pages used
   * then are still assumed to be cached, and otherwise two more.
   */
  int now() {
    return period[LINE];
  }

  /** Counts the first use in this period of a page that is assumed to be cached. */
  void use() {
    int now = now();
    uses++;
    if (uses >= maxUses) {
      end(now, 1, missesOften() ? minUses : Math.min(2 * maxUses, MAX_GROWTH * minUses));
    }
  }

  /** Counts pages that were requested from the kernel; {@code nanos} is the time that it took. */
  void use(int pages, long nanos) {
    int now = now();
    uses += pages - 1;
    if (nanos > MISS_NANOS) {
      misses += pages;
      if (missesOften() && System.nanoTime() - start > shortPeriodNanos) {
        end(now, 2, minUses);
      }
    }
    use();
  }

  private boolean missesOften() {
    return misses > uses / MISS_SHARE;
  }

  /** Ends a period, unless another thread has ended it. */
  private synchronized void end(int now, int by, int length) {
    if (now == now()) {
      maxUses = length;
      uses = 0;
      misses = 0;
      start = System.nanoTime();
      period[LINE] += by;
    }
  }
}
