package io.everheap.engine.home;

import io.everheap.memory.Medium;
import io.everheap.memory.crypt.PageMac;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What the table of checksums says of a page: its entry, a word. 0 is the entry of a page that no
 * checkpoint has written, which is all zeros. Pages are in buffers of any kind, whose positions and
 * limits do not change.
 */
public interface PageEntries {
  /** A page of zeros. */
  ByteBuffer ZEROS = ByteBuffer.allocate(HomeLayout.PAGE_SIZE).asReadOnlyBuffer();

  /** Whether a page is all zeros. */
  static boolean isZero(ByteBuffer pages, int at) {
    return pages.duplicate().clear().slice(at, HomeLayout.PAGE_SIZE).mismatch(ZEROS) < 0;
  }

  /** The entry of a page that begins at an index of a buffer; not 0. */
  long of(long page, ByteBuffer pages, int at);

  /** Whether an entry may be one of this page; of a damaged one that is not so. */
  boolean isValid(long page, long entry);

  /** Whether a page is that of its entry, which is valid. */
  default boolean matches(long page, long entry, ByteBuffer pages, int at) {
    return of(page, pages, at) == entry;
  }

  /** Says that a page does not match its entry. */
  String mismatch(long page, long entry, ByteBuffer pages, int at);

  /**
   * The entries of a heap's pages.
   *
   * @param medium of the heap
   * @param heap its uuid
   */
  static PageEntries of(Medium medium, UUID heap) {
    return medium.hasKeyedPages()
        ? new Keyed(new PageMac(medium.derivedKey("entries of pages")))
        : new Plain(ChecksumLayout.key(heap));
  }

  /**
   * CRC32C, sealed with the page and the heap, but without a secret; see {@link ChecksumLayout}.
   *
   * @param key of the heap
   */
  record Plain(long key) implements PageEntries {
    @Override
    public long of(long page, ByteBuffer pages, int at) {
      return ChecksumLayout.entry(key, page, crc(pages, at));
    }

    private static int crc(ByteBuffer pages, int at) {
      CRC32C crc = new CRC32C();
      crc.update(pages.duplicate().clear().slice(at, HomeLayout.PAGE_SIZE));
      return (int) crc.getValue();
    }

    @Override
    public boolean isValid(long page, long entry) {
      return ChecksumLayout.valid(key, page, entry);
    }

    @Override
    public boolean matches(long page, long entry, ByteBuffer pages, int at) {
      return crc(pages, at) == ChecksumLayout.crc(entry);
    }

    @Override
    public String mismatch(long page, long entry, ByteBuffer pages, int at) {
      return String.format(
          Locale.ROOT,
          "does not match its checksum: expected %08x, found %08x",
          ChecksumLayout.crc(entry),
          crc(pages, at));
    }
  }

  /**
   * A digest with a secret key; an entry that is authentic was written for some page.
   *
   * @param mac of pages
   */
  record Keyed(PageMac mac) implements PageEntries {
    @Override
    public long of(long page, ByteBuffer pages, int at) {
      return mac.of(page, pages, at);
    }

    @Override
    public boolean isValid(long page, long entry) {
      return (entry & 1) != 0;
    }

    @Override
    public String mismatch(long page, long entry, ByteBuffer pages, int at) {
      return "does not match its checksum: it is not the page that was written last";
    }
  }
}
