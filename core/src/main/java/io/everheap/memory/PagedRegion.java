package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntPredicate;

/**
 * A private mapping whose pages are asked for before they are touched. A page that a mapping misses
 * is read by the kernel with its surroundings: 128 KiB on most machines, 8 MiB on some. That is
 * good for files that fit into memory; when they do not, and are used at random, each page costs
 * the reading of all, and drives out as much that is needed. Here what is used is read, and more
 * only if pages are used one after the other.
 *
 * <p>Which pages are there is remembered, not known: see {@link PageTimes}. Pages that were stored
 * to belong to the process and stay. All of it is only advice, which never fails, in plain fields
 * that threads change in races: a thread that misses a note of another asks for a page again, which
 * costs some microseconds; for one that wrongly takes a page to be there, the kernel reads it with
 * its surroundings.
 */
class PagedRegion extends Region {
  private static final int SHIFT = PageTimes.SHIFT;

  /** How many pages are asked for at once at most; kernels may take no more in one request. */
  private static final int MOST = 32;

  private final PageTimes times;
  private final int pages;
  private final long[] stored;
  private long[] recent;
  private long[] earlier;
  private int time;

  /** The page after the last one that was asked for, and how often it was the next one to be. */
  private int following = -1;

  private int streak;

  /**
   * The mapping of a part of a file.
   *
   * @param times of the whole file
   * @param isStored whether the page with this number was stored to
   * @param arena closed with the region
   */
  PagedRegion(PageTimes times, IntPredicate isStored, MemorySegment segment, Arena arena) {
    super(segment, arena);
    this.times = times;
    this.time = times.now();
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

  /** A new one, as what the caller knows: so a process that needs none does not load this class. */
  static Region over(PageTimes times, IntPredicate isStored, MemorySegment segment, Arena arena) {
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

  private void load(long offset) {
    int page = (int) (offset >>> SHIFT);
    if (time != times.now() || !has(recent, page)) {
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
        page = time == times.now() && has(recent, page) ? page + 1 : use(page, last, ahead);
      }
    }
  }

  private void store(long offset, long length) {
    load(offset, length, false); // the kernel copies it
    if (length > 0) {
      int last = (int) ((offset + length - 1) >>> SHIFT);
      for (int page = (int) (offset >>> SHIFT); page <= last; page++) {
        add(stored, page);
      }
    }
  }

  /**
   * Uses a page for the first time in this time, and maybe those after it.
   *
   * @param last that is needed
   * @param ahead whether more may be asked for if pages are used one after the other
   * @return the page after those that were used
   */
  private int use(int page, int last, boolean ahead) {
    if (time != times.now()) {
      turn();
    }
    if (has(earlier, page) || has(stored, page)) {
      add(recent, page);
      times.use();
      return page + 1;
    }
    streak = page == following ? streak + 1 : 0; // once is a value that lies in two pages
    int wanted = ahead && streak > 1 ? MOST : Math.min(MOST, last - page + 1);
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

  /** Begins another time. Allocates nothing: a store to a committed transaction must not fail. */
  private synchronized void turn() {
    int now = times.now();
    if (now == time) {
      return; // another thread did
    }
    long[] before = recent;
    recent = earlier;
    earlier = before;
    Arrays.fill(recent, 0);
    if (now - time != 1) {
      Arrays.fill(earlier, 0);
    }
    time = now;
  }

  /**
   * Asks the kernel for pages, which are exactly what it reads then (madvise(2)).
   *
   * @return nanoseconds that it took
   */
  long read(int page, int count) {
    long start = System.nanoTime();
    try {
      long offset = (long) page << SHIFT;
      segment.asSlice(offset, Math.min((long) count << SHIFT, size() - offset)).load();
    } catch (Exception | VirtualMachineError e) {
      // The access that follows reports what is wrong, if it is wrong for that one.
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
