package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * A private mapping whose pages are requested from the kernel before they are accessed. On a page
 * fault the kernel reads the surroundings of the page as well: 128 KiB on most machines, 8 MiB on
 * some. That is good for files that fit into memory; in a larger file with random accesses, it
 * multiplies the reads, and evicts as many pages that are needed. This class reads the pages that
 * are used, and reads ahead only if pages are used sequentially.
 *
 * <p>Which pages are cached is an assumption: see {@link PageTimes}. Pages that were stored to are
 * private to the process and stay in memory. The requests are advice that never fails, and the
 * plain fields are changed in races: a thread that misses the update of another one requests a page
 * again, which costs some microseconds; if a page is wrongly assumed to be cached, the kernel reads
 * it with its surroundings.
 */
class PagedRegion extends Region {
  private static final int SHIFT = PageTimes.SHIFT;

  /** Maximum number of pages in one request; kernels may read no more at once. */
  private static final int MAX_PAGES = 32;

  private final PageTimes times;
  private final int pages;
  private final long[] stored;
  private long[] recent;
  private long[] earlier;
  private int period;

  /** The page behind the last request, and the number of consecutive requests that began there. */
  private int following = -1;

  private int streak;

  /**
   * Creates a region over a mapping of a part of a file.
   *
   * @param times of the whole file
   * @param isStored whether the page with this number was stored to
   * @param segment the mapping
   * @param arena closed with the region
   */
  PagedRegion(PageTimes times, IntPredicate isStored, MemorySegment segment, Arena arena) {
    super(segment, arena);
    this.times = times;
    this.period = times.now();
    this.pages = Math.toIntExact(((segment.byteSize() - 1) >>> SHIFT) + 1);
    this.stored = bitmap();
    this.recent = bitmap();
    this.earlier = bitmap();
    for (int page = 0; page < pages; page++) {
      if (isStored.test(page)) {
        add(stored, page);
      }
    }
  }

  /** Creates a paged region; typed {@code Region} so the class loads lazily. */
  static Region create(PageTimes times, IntPredicate isStored, MemorySegment segment, Arena arena) {
    return new PagedRegion(times, isStored, segment, arena);
  }

  private long[] bitmap() {
    return new long[(pages + Long.SIZE - 1) / Long.SIZE];
  }

  private static boolean has(long[] bitmap, int page) {
    return (bitmap[page >>> 6] & (1L << page)) != 0;
  }

  private static void add(long[] bitmap, int page) {
    bitmap[page >>> 6] |= 1L << page;
  }

  @Override
  boolean isPaged() {
    return true;
  }

  @Override
  void expect(long offset) {
    load(offset);
  }

  private void load(long offset) {
    int page = (int) (offset >>> SHIFT);
    if (period != times.now() || !has(recent, page)) {
      use(page, page, true);
    }
  }

  private void load(long offset, long length) {
    load(offset, length, true);
  }

  private void load(long offset, long length, boolean ahead) {
    Objects.checkFromIndexSize(offset, length, size());
    if (length > 0) {
      int page = (int) (offset >>> SHIFT);
      int last = (int) ((offset + length - 1) >>> SHIFT);
      while (page <= last) {
        page = period == times.now() && has(recent, page) ? page + 1 : use(page, last, ahead);
      }
    }
  }

  private void store(long offset, long length) {
    load(offset, length, false); // the kernel needs the page for copy-on-write
    if (length > 0) {
      int last = (int) ((offset + length - 1) >>> SHIFT);
      for (int page = (int) (offset >>> SHIFT); page <= last; page++) {
        add(stored, page);
      }
    }
  }

  /**
   * Handles the first use of a page in this period, and possibly of those behind it.
   *
   * @param last page that is needed
   * @param ahead whether to read ahead if pages are used sequentially
   * @return the page behind those that were handled
   */
  private int use(int page, int last, boolean ahead) {
    if (period != times.now()) {
      nextPeriod();
    }
    if (has(earlier, page) || has(stored, page)) {
      add(recent, page);
      times.use();
      return page + 1;
    }
    streak = page == following ? streak + 1 : 0; // 1 may be just a value that spans two pages
    int wanted = ahead && streak > 1 ? MAX_PAGES : Math.min(MAX_PAGES, last - page + 1);
    int end = Math.min(pages, page + wanted);
    int next = page + 1;
    while (next < end && !has(recent, next) && !has(earlier, next) && !has(stored, next)) {
      next++;
    }
    times.use(next - page, read(page, next - page));
    following = next;
    for (int read = page; read < next; read++) {
      add(recent, read);
    }
    return next;
  }

  /** Begins another period. Allocates nothing: a store of a committed transaction must not fail. */
  private synchronized void nextPeriod() {
    int now = times.now();
    if (now == period) {
      return; // another thread has begun it
    }
    long[] before = recent;
    recent = earlier;
    earlier = before;
    Arrays.fill(recent, 0);
    if (now - period != 1) {
      Arrays.fill(earlier, 0);
    }
    period = now;
  }

  /**
   * Requests pages from the kernel, which reads exactly these (madvise(2)).
   *
   * @return the duration in nanoseconds
   */
  long read(int page, int count) {
    long start = System.nanoTime();
    try {
      long offset = (long) page << SHIFT;
      segment.asSlice(offset, Math.min((long) count << SHIFT, size() - offset)).load();
    } catch (Exception | VirtualMachineError e) {
      // If it matters, the access that follows fails as well.
    }
    return System.nanoTime() - start;
  }

  @Override
  public byte getByte(long offset) {
    load(offset);
    return super.getByte(offset);
  }

  @Override
  public short getShort(long offset) {
    load(offset);
    return super.getShort(offset);
  }

  @Override
  public int getInt(long offset) {
    load(offset);
    return super.getInt(offset);
  }

  @Override
  public long getLong(long offset) {
    load(offset);
    return super.getLong(offset);
  }

  @Override
  public long getLongAcquire(long offset) {
    load(offset);
    return super.getLongAcquire(offset);
  }

  @Override
  public long getLongOpaque(long offset) {
    load(offset);
    return super.getLongOpaque(offset);
  }

  @Override
  public void copyTo(long offset, byte[] target, int at, int length) {
    load(offset, length);
    super.copyTo(offset, target, at, length);
  }

  @Override
  public void copyTo(long offset, long[] target, int at, int length) {
    load(offset, 8L * length);
    super.copyTo(offset, target, at, length);
  }

  @Override
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    load(offset, length);
    super.copyTo(offset, target, at, length);
  }

  @Override
  public long mismatch(long offset, byte[] other, int at, int length) {
    load(offset, length);
    return super.mismatch(offset, other, at, length);
  }

  @Override
  public void putByte(long offset, byte value) {
    store(offset, Byte.BYTES);
    super.putByte(offset, value);
  }

  @Override
  public void putShort(long offset, short value) {
    store(offset, Short.BYTES);
    super.putShort(offset, value);
  }

  @Override
  public void putInt(long offset, int value) {
    store(offset, Integer.BYTES);
    super.putInt(offset, value);
  }

  @Override
  public void putLong(long offset, long value) {
    store(offset, Long.BYTES);
    super.putLong(offset, value);
  }

  @Override
  public void putLongOpaque(long offset, long value) {
    store(offset, Long.BYTES);
    super.putLongOpaque(offset, value);
  }

  @Override
  public void putLongRelease(long offset, long value) {
    store(offset, Long.BYTES);
    super.putLongRelease(offset, value);
  }

  @Override
  public void copyFrom(long offset, byte[] source, int at, int length) {
    store(offset, length);
    super.copyFrom(offset, source, at, length);
  }

  @Override
  public void copyFrom(long offset, Region source, long at, long length) {
    store(offset, length);
    if (source instanceof PagedRegion from) {
      from.load(at, length);
    }
    super.copyFrom(offset, source, at, length);
  }

  @Override
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    store(offset, length);
    super.copyFrom(offset, source, at, length);
  }

  @Override
  public void fill(long offset, long length, byte value) {
    store(offset, length);
    super.fill(offset, length, value);
  }

  @Override
  public MemorySegment claim(long offset, long length) {
    store(offset, length);
    return super.claim(offset, length);
  }
}
