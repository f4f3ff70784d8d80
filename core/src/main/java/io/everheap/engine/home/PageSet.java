package io.everheap.engine.home;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A set of home pages, with one bitmap per extent that is allocated when its first page is added.
 * Not thread-safe: guarded by a lock of its owner.
 */
public final class PageSet {
  private final int extentShift;
  private final long[][] bitmaps;
  private long count;
  private long lastPage = -1;

  /**
   * Creates an empty set.
   *
   * @param extentShift size of an extent as a power of two
   * @param extents maximum number of extents of the home image
   */
  public PageSet(int extentShift, int extents) {
    this.extentShift = extentShift;
    this.bitmaps = new long[extents][];
  }

  /** Allocates the bitmap of an extent, so that adding its pages allocates nothing. */
  public void reserve(int extent) {
    if (bitmaps[extent] == null) {
      bitmaps[extent] = new long[1 << Math.max(0, pagesShift() - 6)];
    }
  }

  /**
   * Adds the pages of the {@code bytes} bytes at {@code address}.
   *
   * @return whether one of them was not in the set
   */
  public boolean add(long address, long bytes) {
    long page = address >>> HomeLayout.PAGE_SHIFT;
    long last = (address + bytes - 1) >>> HomeLayout.PAGE_SHIFT;
    if (page == lastPage && last == page) {
      return false; // consecutive stores are mostly in one page
    }
    boolean added = false;
    for (; page <= last; page++) {
      added |= addPage(page);
    }
    lastPage = last;
    return added;
  }

  /**
   * Adds a page by its number.
   *
   * @return whether it was not in the set
   */
  public boolean addPage(long page) {
    int extent = extentOf(page);
    long[] bitmap = bitmaps[extent];
    if (bitmap == null) {
      reserve(extent);
      bitmap = bitmaps[extent];
    }
    int index = indexOf(page);
    long bit = 1L << index;
    if ((bitmap[index >>> 6] & bit) != 0) {
      return false;
    }
    bitmap[index >>> 6] |= bit;
    count++;
    return true;
  }

  /** Whether the page at {@code address} is in the set. */
  public boolean contains(long address) {
    long page = address >>> HomeLayout.PAGE_SHIFT;
    long[] bitmap = bitmaps[extentOf(page)];
    return bitmap != null && (bitmap[indexOf(page) >>> 6] & (1L << indexOf(page))) != 0;
  }

  /** Whether the page with this number is in the set. */
  public boolean containsPage(long page) {
    int extent = extentOf(page);
    long[] bitmap = extent < bitmaps.length ? bitmaps[extent] : null;
    return bitmap != null && (bitmap[indexOf(page) >>> 6] & (1L << indexOf(page))) != 0;
  }

  /** Removes a page by its number. */
  public void removePage(long page) {
    if (containsPage(page)) {
      bitmaps[extentOf(page)][indexOf(page) >>> 6] &= ~(1L << indexOf(page));
      count--;
      lastPage = -1;
    }
  }

  /** Number of pages. */
  public long count() {
    return count;
  }

  /** Number of pages in one extent. */
  public long count(int extent) {
    long[] bitmap = bitmaps[extent];
    long n = 0;
    if (bitmap != null) {
      for (long word : bitmap) {
        n += Long.bitCount(word);
      }
    }
    return n;
  }

  /** Removes all pages of one extent. */
  public void clear(int extent) {
    long[] bitmap = bitmaps[extent];
    if (bitmap != null) {
      count -= count(extent);
      Arrays.fill(bitmap, 0);
    }
    lastPage = -1;
  }

  /** Removes the pages at and above {@code address}. */
  public void clearFrom(long address) {
    long first = address >>> HomeLayout.PAGE_SHIFT;
    long[] pages = toArray();
    for (long page : pages) {
      if (page >= first) {
        bitmaps[extentOf(page)][indexOf(page) >>> 6] &= ~(1L << indexOf(page));
        count--;
      }
    }
    lastPage = -1;
  }

  /** Removes all pages. */
  public void clear() {
    for (long[] bitmap : bitmaps) {
      if (bitmap != null) {
        Arrays.fill(bitmap, 0);
      }
    }
    count = 0;
    lastPage = -1;
  }

  /** The page numbers, ascending. */
  public long[] toArray() {
    long[] pages = new long[Math.toIntExact(count)];
    int[] n = {0};
    forEach(page -> pages[n[0]++] = page);
    return pages;
  }

  /** Calls {@code action} with each page number, ascending. */
  public void forEach(LongConsumer action) {
    for (int extent = 0; extent < bitmaps.length; extent++) {
      long[] bitmap = bitmaps[extent];
      if (bitmap == null) {
        continue;
      }
      for (int i = 0; i < bitmap.length; i++) {
        for (long word = bitmap[i]; word != 0; word &= word - 1) {
          action.accept(
              ((long) extent << pagesShift()) + i * 64L + Long.numberOfTrailingZeros(word));
        }
      }
    }
  }

  private int pagesShift() {
    return extentShift - HomeLayout.PAGE_SHIFT;
  }

  private int extentOf(long page) {
    return (int) (page >>> pagesShift());
  }

  private int indexOf(long page) {
    return (int) (page & ((1L << pagesShift()) - 1));
  }
}
