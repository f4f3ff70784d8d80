package io.everheap.engine.home;

import io.everheap.error.CorruptException;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;

/**
 * Compares each page of an encrypted heap with its checksum when it is decrypted: an old page that
 * somebody put back in its place is authentic, but not the one that was written last. A page is
 * only decrypted while it is not in memory, so no checkpoint writes it meanwhile. Thread-safe.
 */
final class LoadedPages implements MediumFile.PageCheck {
  /** Judges a page by its number, its entry, and what was found. */
  interface Verdict {
    /** Throws if the page, at the start of a buffer, is not what it should be. */
    void of(long page, long entry, ByteBuffer contents);
  }

  private final ChecksumTable entries;
  private final PageSet doubtful;
  private final Verdict verdict;
  private volatile boolean certain;

  /**
   * Creates it.
   *
   * @param entries the checksums
   * @param doubtful pages that a crash may have torn; not changed any more
   */
  LoadedPages(ChecksumTable entries, PageSet doubtful, Verdict verdict) {
    this.entries = entries;
    this.doubtful = doubtful;
    this.verdict = verdict;
  }

  /** No page is in doubt any more, because all of these were written. */
  void settle() {
    certain = true;
  }

  @Override
  public void check(long page, ByteBuffer contents) {
    if (page >= ChecksumLayout.FIRST_PAGE && (certain || !doubtful.containsPage(page))) {
      verdict.of(page, entries.lookUp(page), contents);
    }
  }

  /**
   * Reads pages of an encrypted file; one that is not authentic is filled so that no checksum is
   * right for it.
   *
   * @param run receives the pages from its start
   * @return the number of bytes read
   */
  static int read(MediumFile home, ByteBuffer run, long first, int count) {
    int size = HomeLayout.PAGE_SIZE;
    int end = 0;
    for (int i = 0; i < count; i++) {
      int from = i * size;
      run.limit(from + size).position(from);
      try {
        int read = home.read(run, (first + i) * size);
        end = read == 0 ? end : from + read;
      } catch (CorruptException e) {
        for (int at = from; at < from + size; at++) {
          run.put(at, (byte) (at * 31L + first));
        }
        end = from + size;
      }
    }
    run.limit(count * size).position(end);
    return end;
  }
}
