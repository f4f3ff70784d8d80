package io.everheap.engine;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.PageEntries;
import io.everheap.engine.home.Superblock;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.ScrubReport;
import io.everheap.report.VerifyProgress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Compares the pages in the home file with their checksums, without opening the heap, and repairs
 * damaged ones from copies of the heap. A copy of a page is believed if it has the checksum that
 * the page must have, whatever became of the rest of that copy: so an older backup repairs each
 * page that did not change since, and a replica repairs those that it has in the same state.
 */
public final class PageRepair implements AutoCloseable {
  private static final long SLICE_PAGES = 1024;
  private static final int ATTEMPTS = 5;
  private static final long PAUSE_NANOS = 50_000_000;

  private final Medium medium;
  private final MediumFile home;
  private final Superblock superblock;
  private final CheckedPages checked;

  private PageRepair(Medium medium, MediumFile home, Superblock superblock, CheckedPages checked) {
    this.medium = medium;
    this.home = home;
    this.superblock = superblock;
    this.checked = checked;
  }

  /**
   * Reads the superblocks of a heap.
   *
   * @param medium of the heap, which stays open; read-only to look only
   * @throws CorruptException if they are damaged, or the heap has no checksums
   */
  public static PageRepair open(Medium medium) {
    PageRepair repair = openChecked(medium);
    if (repair == null) {
      throw CorruptException.heap(
          medium.location()
              + " has no checksums of its pages: it was last written on byte-addressable"
              + " storage, or never closed. Check it with verify.");
    }
    return repair;
  }

  /** As {@link #open}; null if there is no heap, or it has no checksums. */
  public static @Nullable PageRepair openIfChecked(Medium medium) {
    return medium.exists(HeapFiles.HOME) ? openChecked(medium) : null;
  }

  private static @Nullable PageRepair openChecked(Medium medium) {
    MediumFile home = medium.open(HeapFiles.HOME);
    try {
      Superblock s = new SuperblockStore(medium, home).read();
      if (!s.checksums()) {
        home.close();
        return null;
      }
      long extent = 1L << s.extentShift();
      int extents = (int) ((s.capacity() + extent - 1) / extent);
      var checked = new CheckedPages(medium, home, s.uuid(), s.extentShift(), extents);
      checked.open();
      return new PageRepair(medium, home, s, checked);
    } catch (RuntimeException | Error e) {
      home.close();
      throw e;
    }
  }

  /**
   * Reads all pages.
   *
   * @param copies directories of copies of the heap, of any age
   * @param keys give the key of the copies; null if they are not encrypted
   * @throws CorruptException if one of them is no copy of this heap
   */
  public ScrubReport run(List<Path> copies, @Nullable KeyProvider keys, VerifyProgress progress) {
    List<Copy> sources = new ArrayList<>();
    try {
      for (Path copy : copies) {
        sources.add(new Copy(SealedMedium.with(FileMedium.watch(copy), keys)));
      }
      List<PageDamage> table = new ArrayList<>();
      checked.scrubTable(superblock.capacity(), table::add);
      List<PageDamage> found = scrub(progress);
      if (medium.readOnly()) {
        lookAgain(table, found);
      }
      List<ScrubReport.Page> pages = new ArrayList<>();
      for (PageDamage damage : table) { // of all pages from there on, which no copy repairs
        pages.add(new ScrubReport.Page(damage.page(), damage.message(), ""));
      }
      for (PageDamage damage : found) {
        pages.add(
            new ScrubReport.Page(damage.page(), damage.message(), repair(damage.page(), sources)));
      }
      return new ScrubReport(pages(), pages, !superblock.clean());
    } finally {
      sources.forEach(Copy::close);
    }
  }

  private long pages() {
    return superblock.capacity() >>> HomeLayout.PAGE_SHIFT;
  }

  private List<PageDamage> scrub(VerifyProgress progress) {
    List<PageDamage> found = new ArrayList<>();
    for (long page = 0; page < pages(); page += SLICE_PAGES) {
      checked.scrub(page, Math.min(pages(), page + SLICE_PAGES), found::add);
      progress.update("pages", (double) page / pages());
    }
    return found;
  }

  /** Drops what was only being written: a page and its entry are two writes. */
  private void lookAgain(List<PageDamage> table, List<PageDamage> found) {
    for (int i = 0; i < ATTEMPTS && !(table.isEmpty() && found.isEmpty()); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      if (!table.isEmpty()) { // the heap may have shrunk
        table.clear();
        checked.scrubTable(new SuperblockStore(medium, home).read().capacity(), table::add);
      }
      found.removeIf(
          damage -> {
            List<PageDamage> still = new ArrayList<>();
            checked.scrub(damage.page(), damage.page() + 1, still::add);
            return still.isEmpty();
          });
    }
  }

  /** The location of the copy from which a page was repaired; empty if there is none. */
  private String repair(long page, List<Copy> sources) {
    for (Copy copy : sources) {
      if (checked.repair(page, copy.page(page), copy.digests, copy.entry(page), copy.tells(page))) {
        return copy.medium.location();
      }
    }
    return "";
  }

  /** The files of a copy. */
  private final class Copy implements AutoCloseable {
    private final Medium medium;
    private final MediumFile pages;
    private final @Nullable MediumFile entries;
    private final boolean current;
    private final PageEntries digests;
    private final ByteBuffer image = ByteBuffer.allocateDirect(HomeLayout.PAGE_SIZE);
    private final ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);

    Copy(Medium medium) {
      this.medium = medium;
      MediumFile opened = null;
      try {
        opened = medium.open(HeapFiles.HOME);
        this.pages = opened;
        Superblock s = new SuperblockStore(medium, pages).read();
        if (!s.uuid().equals(superblock.uuid())) {
          throw CorruptException.heap(
              medium.location() + " is no copy of " + PageRepair.this.medium.location() + ".");
        }
        this.current =
            s.createdMillis() == superblock.createdMillis()
                && s.checkpointLsn() >= superblock.checkpointLsn();
        this.digests = PageEntries.of(medium, s.uuid());
        boolean hasEntries = medium.exists(ChecksumLayout.NAME);
        this.entries = hasEntries ? medium.open(ChecksumLayout.NAME) : null;
      } catch (EverheapException e) {
        if (opened != null) {
          opened.close();
        }
        medium.close();
        throw e;
      }
    }

    /** Whether a page without an entry was never written in this heap either. */
    boolean tells(long page) {
      MediumFile file = entries;
      return current && file != null && file.size() >= ChecksumLayout.position(page + 1);
    }

    ByteBuffer page(long number) {
      read(pages, image, number * HomeLayout.PAGE_SIZE);
      return image;
    }

    long entry(long number) {
      MediumFile file = entries;
      if (file != null) {
        read(file, word, ChecksumLayout.position(number));
      }
      return word.getLong(0);
    }

    /** Reads zeros where the copy is not authentic: they match no checksum, or the right one. */
    private static void read(MediumFile file, ByteBuffer to, long position) {
      int read;
      try {
        read = file.read(to.clear(), position);
      } catch (CorruptException e) {
        read = 0;
        to.clear();
      }
      while (read < to.capacity()) {
        to.put(read++, (byte) 0);
      }
      to.clear();
    }

    @Override
    public void close() {
      pages.close();
      if (entries != null) {
        entries.close();
      }
      medium.close();
    }
  }

  @Override
  public void close() {
    checked.close();
    home.close();
  }
}
