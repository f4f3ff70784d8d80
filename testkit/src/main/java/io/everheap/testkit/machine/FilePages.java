package io.everheap.testkit.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pages of a simulated file, by their numbers. Guarded by the medium's lock. */
public final class FilePages {
  private @Nullable Page[] pages = new Page[16];

  /**
   * Receives a page, the offset of a range in it, the offset of that place in the range, and a
   * length.
   */
  interface Part {
    void accept(Page page, long inPage, long inRange, long length);
  }

  /** The page that holds a position, made if it is missing. */
  Page at(long position) {
    int index = Math.toIntExact(position / Page.SIZE);
    if (index >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(index + 1, 2 * pages.length));
    }
    Page page = pages[index];
    if (page == null) {
      page = Page.hole();
      pages[index] = page;
    }
    return page;
  }

  /** Visits the pages of a range that are not missing. */
  void parts(long position, long size, Part action) {
    long end = Math.min(position + size, (long) pages.length * Page.SIZE);
    for (long at = position; at < end; ) {
      long inPage = at % Page.SIZE;
      long length = Math.min(end - at, Page.SIZE - inPage);
      Page page = pages[(int) (at / Page.SIZE)];
      if (page != null) {
        action.accept(page, inPage, at - position, length);
      }
      at += length;
    }
  }

  /** Copies bytes out; bytes of missing pages are left as they are. */
  void copy(long position, byte[] target, int to, int count) {
    parts(
        position,
        count,
        (page, inPage, at, n) ->
            MemorySegment.copy(
                page.forReading(), ValueLayout.JAVA_BYTE, inPage, target, to + (int) at, (int) n));
  }

  /** Forgets the page of a position. */
  void remove(long position) {
    pages[(int) (position / Page.SIZE)] = null;
  }

  /** The position behind the last page. */
  long end() {
    return (long) pages.length * Page.SIZE;
  }

  /** Immutable copies of all pages that take space; null for the others. */
  List<byte @Nullable []> images() {
    byte @Nullable [][] images = new byte[pages.length][];
    for (int i = 0; i < pages.length; i++) {
      Page page = pages[i];
      if (page != null && page.allocated()) {
        images[i] = page.image();
      }
    }
    return Arrays.asList(images);
  }

  /** Takes over copies of pages. */
  void load(List<byte @Nullable []> images) {
    pages = new Page[Math.max(images.size(), 16)];
    for (int i = 0; i < images.size(); i++) {
      byte[] image = images.get(i);
      if (image != null) {
        pages[i] = Page.of(image);
      }
    }
  }
}
