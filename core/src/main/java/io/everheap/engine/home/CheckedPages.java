package io.everheap.engine.home;

import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.memory.ClassesAhead;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes pages to the home file, each with a checksum in a separate file, and finds pages that do
 * not match their checksums.
 *
 * <p><b>Doubt.</b> A page and its checksum are two writes, and a crash may keep only one of them.
 * Both are durable before the superblock of the checkpoint, so the log behind the superblock
 * changes every such page: replay makes it dirty, and the checkpoint that ends the recovery writes
 * it with its checksum. Until then the page is in doubt, and not checked. The same holds for a page
 * whose write failed.
 *
 * <p><b>No laundering.</b> Writing a page of which only a part is new would give a valid checksum
 * to decayed bytes in the rest. So the page in the file is checked before it is first overwritten,
 * once for as long as it stays private in memory: from then on no byte of the file gets into it.
 *
 * <p><b>Absence.</b> Loads of a heap that is not encrypted are not compared with checksums. But
 * before a structure answers that an entry does not exist, and a new one takes its place, {@link
 * #requireSound} compares the pages that led to the answer, each once until the heap is closed; not
 * those that were appended since it was opened and are in memory as this process stored them.
 *
 * <p>Used on media whose home image is written by checkpoints only, not on byte-addressable ones.
 * Guarded by the lock of the checkpoints, except {@link #clear}, which the writer calls, and {@link
 * #requireSound}, which any thread calls; {@link #pageLock} keeps the latter from pages that are
 * being written.
 */
public final class CheckedPages implements AutoCloseable {
  /**
   * A page that does not match its checksum, or an invalid checksum.
   *
   * @param file that is damaged, relative to the heap's directory
   * @param offset of the damage in the file, in bytes
   * @param page of the home image that is concerned
   * @param message what is wrong
   */
  public record PageDamage(String file, long offset, long page, String message) {}

  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final int RUN = 64; // maximum number of pages to read at once

  private final Medium medium;
  private final MediumFile home;
  private final PageEntries entries;
  private final long key;
  private final int extentShift;
  private final int extents;
  private final PageSet doubtful;
  private final ByteBuffer run = ByteBuffer.allocateDirect(RUN * PAGE);
  private volatile @Nullable ChecksumTable table;
  private boolean expected;
  private boolean unsynced;
  private @Nullable LoadedPages loaded; // of an encrypted heap

  /**
   * Held while {@link #doubtful} changes, and while {@link #requireSound} compares a page. A page
   * and its entry change only while the page is in doubt, so a comparison never waits for a write.
   */
  private final Object pageLock = new Object();

  /**
   * The pages that {@link #requireSound} compared. Changed under {@link #pageLock}, and read
   * without it: a bit that is set stays set.
   */
  private final PageSet sound;

  /**
   * Creates it without checksums; {@link #open} or {@link #build} follows.
   *
   * @param uuid of the heap
   * @param extents maximum number of extents of the home image
   */
  public CheckedPages(Medium medium, MediumFile home, UUID uuid, int extentShift, int extents) {
    this(medium, home, PageEntries.of(medium, uuid), uuid, extentShift, extents);
  }

  /** The same for a copy on another medium, which has the entries of the original. */
  public CheckedPages(
      Medium medium,
      MediumFile home,
      PageEntries entries,
      UUID uuid,
      int extentShift,
      int extents) {
    this.medium = medium;
    this.home = home;
    this.entries = entries;
    this.key = ChecksumLayout.key(uuid);
    this.extentShift = extentShift;
    this.extents = extents;
    this.doubtful = new PageSet(extentShift, extents);
    this.sound = new PageSet(extentShift, extents);
    ClassesAhead.load(PageDamage.class);
  }

  /**
   * Opens the file of checksums, which exists according to the superblock.
   *
   * @throws CorruptException if it is missing; on a read-only medium {@link #scrubTable} reports it
   *     instead
   */
  public void open() {
    expected = true;
    if (medium.exists(ChecksumLayout.NAME)) {
      table = new ChecksumTable(medium.open(ChecksumLayout.NAME));
    } else if (!medium.readOnly()) {
      throw CorruptException.heap(
          where()
              + " is missing: it holds the checksums of the home image. Restore it from a backup,"
              + " or open the heap read-only and copy what it holds.");
    }
  }

  /**
   * Checks that there is an entry for every page.
   *
   * @throws CorruptException if the file is shorter
   */
  public void requireCovers(long capacity) {
    ChecksumTable t = table;
    if (t != null && !medium.readOnly() && t.file().size() < ChecksumLayout.size(capacity)) {
      throw CorruptException.truncated(where(), t.file().size(), ChecksumLayout.size(capacity));
    }
  }

  /**
   * Checks that the log has all changes that the home file may contain.
   *
   * @param end LSN of the end of the log
   * @throws CorruptException if not: the files are copies from different times
   */
  public void requireReached(long end) {
    ChecksumTable t = table;
    if (t == null) {
      return;
    }
    long reach = reach(t);
    if (reach > end) {
      throw CorruptException.heap(
          "The home image of "
              + medium.location()
              + " holds changes up to LSN "
              + reach
              + ", but its log ends at LSN "
              + end
              + ": this is a copy that was made while the heap was open, and its files are of"
              + " different moments. Copy the heap again while it is closed, or from a snapshot of"
              + " the file system, or save what is left with salvage.");
    }
  }

  /** The LSN below which all changes are that the home file may contain; 0 if it is unknown. */
  private long reach(ChecksumTable t) {
    WindowSeals seals = t.seals();
    if (seals != null) {
      return seals.reach();
    }
    t.begin();
    long reach = t.entry(0);
    return t.entry(1) == ChecksumLayout.reachSeal(key, reach) ? reach : 0;
  }

  /** Syncs the file of checksums, since the heap may have been copied without a sync. */
  public void syncCopy() {
    ChecksumTable t = table;
    if (t != null && !medium.readOnly()) {
      t.file().sync();
    }
  }

  /**
   * Creates the file of checksums from the pages in the home file; durable on return.
   *
   * @param lsn of the last checkpoint
   */
  public void build(long lsn, long capacity) {
    if (medium.exists(ChecksumLayout.NAME)) {
      medium.delete(ChecksumLayout.NAME);
    }
    ChecksumTable fresh = new ChecksumTable(medium.create(ChecksumLayout.NAME));
    try {
      if (medium.hasKeyedPages()) {
        fresh.keep(WindowSeals.create(medium, fresh.file()));
      } else if (medium.encrypted()) {
        fresh.keep(PageRoot.create(medium));
      }
      long pages = capacity >>> HomeLayout.PAGE_SHIFT;
      fresh.clear(0, pages);
      for (long from = ChecksumLayout.FIRST_PAGE; from < pages; from += RUN) {
        int count = (int) Math.min(RUN, pages - from);
        read(from, count);
        for (int i = 0; i < count; i++) {
          if (!PageEntries.isZero(run, i * PAGE)) {
            fresh.put(from + i, entries.of(from + i, run, i * PAGE));
          }
        }
      }
      fresh.flush();
      fresh.file().sync();
      writeRoot(fresh, lsn, pages, MediumFile::sync, () -> {}); // no superblock contradicts it
      complete(fresh.seals());
      medium.syncDirectory("");
    } catch (RuntimeException | Error e) {
      fresh.close();
      throw e;
    }
    expected = true;
    table = fresh;
  }

  /**
   * Reads the root of an encrypted heap's checksums, as of the last checkpoint.
   *
   * @param last superblock of the heap
   * @throws CorruptException if the files are not those of that checkpoint, and of what was written
   *     since
   */
  public void openRoot(Superblock last) {
    ChecksumTable t = table;
    if (t == null || !medium.encrypted()) {
      return;
    }
    long lsn = last.checkpointLsn();
    long pages = last.capacity() >>> HomeLayout.PAGE_SHIFT;
    if (medium.hasKeyedPages()) {
      long all = Math.max(pages, home.size() >>> HomeLayout.PAGE_SHIFT);
      t.keep(WindowSeals.open(medium, t.file(), lsn, pages, all, last.writing()));
    } else if (last.clean() || !medium.readOnly()) { // else what is there counts
      t.keep(PageRoot.open(medium, lsn, pages, t, last.clean()));
    }
  }

  /**
   * Writes the root, as of a checkpoint at {@code lsn}, and syncs it by the given action.
   *
   * @param beginWriting writes a superblock, durably, which says that pages are being written
   */
  public void syncRoot(long lsn, long capacity, Consumer<MediumFile> how, Runnable beginWriting) {
    ChecksumTable t = table;
    if (t != null) {
      writeRoot(t, lsn, capacity >>> HomeLayout.PAGE_SHIFT, how, beginWriting);
    }
  }

  private void writeRoot(
      ChecksumTable t, long lsn, long pages, Consumer<MediumFile> how, Runnable beginWriting) {
    WindowSeals seals = t.seals();
    PageRoot root = t.root();
    if (seals != null) {
      if (seals.prepare(lsn, pages, how)) {
        beginWriting.run();
      }
      how.accept(seals.writeRoot());
    } else if (root != null) {
      how.accept(root.write(medium, t, lsn, pages));
    }
  }

  /** The superblock of the checkpoint whose root was written is durable. */
  public void complete() {
    complete(seals());
  }

  private static void complete(@Nullable WindowSeals seals) {
    if (seals != null) {
      seals.complete();
    }
  }

  /** The seals of an encrypted heap's checksums; null if it has none. */
  private @Nullable WindowSeals seals() {
    ChecksumTable t = table;
    return t == null ? null : t.seals();
  }

  /** The state of all pages as of the last checkpoint; null if it has no digest. */
  public @Nullable PageState state() {
    WindowSeals seals = seals();
    return seals == null ? null : seals.state();
  }

  /**
   * Says durably, in an encrypted heap, that pages are about to be written. A superblock says so
   * before the first one is.
   *
   * @param pages numbers, ascending, from index {@code from} to {@code to - 1}
   * @param reach the LSN below which all changes in the pages are; the log is durable up to there
   * @param how syncs a file
   */
  public void announce(long[] pages, int from, int to, long reach, Consumer<MediumFile> how) {
    WindowSeals seals = seals();
    if (seals != null) {
      seals.announce(pages, from, to, reach, how);
    }
  }

  /** Reports if the checksums are not those that were written, although each may be authentic. */
  public void scrubRoot(Consumer<PageDamage> findings) {
    ChecksumTable t = table;
    PageRoot root = t == null ? null : t.root();
    WindowSeals seals = seals();
    if (seals != null && !seals.isStored()) {
      String message = "it is not what the last checkpoint wrote: an older state was put back";
      findings.accept(new PageDamage(RootFile.NAME, 0, 0, message));
    }
    if (t != null && root != null && !root.isOf(medium, t)) {
      String message =
          "the checksums are not those of the last checkpoint: an older state was put back";
      findings.accept(new PageDamage(ChecksumLayout.NAME, 0, 0, message));
    }
  }

  /**
   * From now on compares each page of an encrypted heap when it is decrypted, unless in doubt.
   *
   * @param replayed whether the log was read, so that it is known which pages are in doubt; if not,
   *     those are that were announced
   */
  public void checkLoads(boolean replayed) {
    ChecksumTable t = table;
    if (t != null && medium.encrypted()) {
      PageSet except = new PageSet(extentShift, extents);
      doubtful.forEach(except::addPage);
      WindowSeals seals = t.seals();
      if (!replayed && seals != null) {
        seals.addAnnounced(except);
      }
      loaded =
          new LoadedPages(
              t, except, (page, entry, image) -> check(page, entry, image, 0, this::refuse));
      home.checkPages(loaded);
    }
  }

  /** Whether pages have checksums. */
  public boolean active() {
    return table != null;
  }

  /** Puts pages in doubt until they are written, since a crash may have torn them. */
  public void doubt(PageSet pages) {
    WindowSeals seals = seals();
    synchronized (pageLock) {
      pages.forEach(
          page -> {
            if (seals == null || seals.isAnnounced(page)) { // else nothing wrote it
              doubtful.addPage(page);
            }
          });
    }
  }

  /**
   * Compares a page in the file with its checksum, unless that was done since the heap was opened
   * or the page is in doubt. Of a heap without checksums no page is compared. Any thread.
   *
   * @throws CorruptException if the page or its entry is damaged
   */
  void requireSound(long page) {
    ChecksumTable t = table;
    if (t == null
        || page < ChecksumLayout.FIRST_PAGE
        || page >= (long) extents << (extentShift - HomeLayout.PAGE_SHIFT)
        || sound.containsPage(page)) {
      return;
    }
    synchronized (pageLock) {
      if (!doubtful.containsPage(page)) {
        ByteBuffer image = ByteBuffer.allocate(PAGE);
        home.read(image, page * PAGE); // the rest stays zero
        check(page, t.lookUp(page), image, 0, this::refuse);
      }
      sound.addPage(page);
    }
  }

  /**
   * Checks the present contents in the file of pages that are about to be written.
   *
   * @param pages numbers, ascending, from index {@code from} to {@code to - 1}
   * @param known pages that need no check
   * @throws CorruptException if one is damaged
   */
  public void check(long[] pages, int from, int to, PageSet known) {
    ChecksumTable t = table;
    if (t == null) {
      return;
    }
    t.begin();
    for (int start = from; start < to; ) {
      int end = start + 1;
      if (!known.containsPage(pages[start])) {
        while (end < to
            && end - start < RUN
            && pages[end] == pages[end - 1] + 1
            && !known.containsPage(pages[end])) {
          end++;
        }
        check(t, pages[start], end - start, this::refuse);
      }
      start = end;
    }
  }

  private void refuse(PageDamage damage) {
    String path = medium.location() + "/" + damage.file();
    throw CorruptException.heap(
        path,
        damage.offset(),
        path
            + " is damaged at byte "
            + damage.offset()
            + ": "
            + damage.message()
            + ". Nothing was written over it. Restore the heap from a backup, or save what is left"
            + " with salvage.");
  }

  private void check(ChecksumTable t, long first, int count, Consumer<PageDamage> findings) {
    read(first, count);
    compare(t, first, count, findings);
  }

  private void compare(ChecksumTable t, long first, int count, Consumer<PageDamage> findings) {
    for (int i = 0; i < count; i++) {
      long page = first + i;
      if (!doubtful.containsPage(page)) {
        check(page, t.entry(page), run, i, findings);
      }
    }
  }

  private void check(
      long page, long entry, ByteBuffer images, int index, Consumer<PageDamage> findings) {
    if (entry != 0 && !entries.isValid(page, entry)) {
      findings.accept(
          new PageDamage(
              ChecksumLayout.NAME,
              ChecksumLayout.position(page),
              page,
              String.format(
                  Locale.ROOT, "%s has no valid entry there but %016x", name(page), entry)));
    } else if (entry == 0
        ? !PageEntries.isZero(images, index * PAGE)
        : !entries.matches(page, entry, images, index * PAGE)) {
      String message =
          entry == 0
              ? "was never written and is not zero"
              : entries.mismatch(page, entry, images, index * PAGE);
      findings.accept(new PageDamage(home.name(), page * PAGE, page, name(page) + " " + message));
    }
  }

  private String name(long page) {
    return "page " + page + " (extent " + ((page * PAGE) >>> extentShift) + ")";
  }

  /**
   * Checks pages that were read from the file.
   *
   * @param first number of the first one; the superblocks are not checked
   * @param pages a buffer with them
   * @throws CorruptException if one is damaged
   */
  public void require(long first, int count, ByteBuffer pages) {
    ChecksumTable t = table;
    for (int i = 0; t != null && i < count; i++) {
      if (first + i >= ChecksumLayout.FIRST_PAGE) {
        check(first + i, t.entry(first + i), pages, i, this::refuse);
      }
    }
  }

  /**
   * Writes pages and their checksums; the caller syncs both files. After a failure all of them are
   * in doubt.
   *
   * @param pages numbers, ascending, from index {@code from} to {@code to - 1}
   * @param images a direct buffer with the pages, consecutive from its start
   * @param reach the LSN below which all changes in the pages are
   */
  public void write(long[] pages, int from, int to, ByteBuffer images, long reach) {
    ChecksumTable t = table;
    if (t == null) {
      writeRuns(pages, from, to, images);
      return;
    }
    synchronized (pageLock) {
      for (int i = from; i < to; i++) {
        doubtful.addPage(pages[i]);
      }
    }
    unsynced = true;
    t.begin();
    if (t.seals() == null) { // else the reach was announced
      t.put(0, reach);
      t.put(1, ChecksumLayout.reachSeal(key, reach));
      t.flush(); // before the pages, so that a copy of the files that has the pages has the reach
    }
    writeRuns(pages, from, to, images);
    for (int i = from; i < to; i++) {
      t.put(pages[i], entries.of(pages[i], images, (i - from) * PAGE));
    }
    t.flush();
    synchronized (pageLock) {
      for (int i = from; i < to; i++) {
        doubtful.removePage(pages[i]);
      }
    }
    if (loaded != null && doubtful.count() == 0) {
      loaded.settle();
    }
  }

  private void writeRuns(long[] pages, int from, int to, ByteBuffer images) {
    int end;
    for (int start = from; start < to; start = end) {
      end = endOfRun(pages, start, to);
      home.write(images.slice((start - from) * PAGE, (end - start) * PAGE), pages[start] * PAGE);
    }
  }

  /** Returns the index behind the consecutive pages that begin at {@code from}. */
  public static int endOfRun(long[] pages, int from, int to) {
    int end = from + 1;
    while (end < to && pages[end] == pages[end - 1] + 1) {
      end++;
    }
    return end;
  }

  /**
   * Syncs the file of checksums, by the given action, if pages were written since the last sync.
   */
  public void sync(Consumer<MediumFile> how) {
    ChecksumTable t = table;
    if (t != null && unsynced) {
      unsynced = false;
      how.accept(t.file());
    }
  }

  /**
   * Clears the entries of a range of chunks that was added to the home file as zeros, and syncs
   * them by the given action.
   */
  public void clear(long fromAddress, long toAddress, Consumer<MediumFile> how) {
    ChecksumTable t = table;
    if (t != null) {
      t.clear(fromAddress >>> HomeLayout.PAGE_SHIFT, toAddress >>> HomeLayout.PAGE_SHIFT);
      how.accept(t.file()); // always: a sync by another thread may have begun before the write
    }
  }

  /** Drops the checksums of pages behind the new end of the home file. */
  public void truncate(long capacity) {
    ChecksumTable t = table;
    if (t != null) {
      synchronized (pageLock) {
        doubtful.clearFrom(capacity);
        t.truncate(capacity >>> HomeLayout.PAGE_SHIFT);
      }
    }
  }

  /** Reports if the file of checksums is missing or too short. */
  public void scrubTable(long capacity, Consumer<PageDamage> findings) {
    ChecksumTable t = table;
    long size = t == null ? 0 : t.file().size();
    if (expected && size < ChecksumLayout.size(capacity)) {
      String message =
          t == null
              ? "the file is missing, and no page can be checked"
              : "the file ends there, and no page from " + size / 8 + " on can be checked";
      findings.accept(
          new PageDamage(ChecksumLayout.NAME, size, size / ChecksumLayout.ENTRY_BYTES, message));
    }
  }

  /** Reports each damaged page in the file from {@code fromPage} up to, not including, the end. */
  public void scrub(long fromPage, long toPage, Consumer<PageDamage> findings) {
    ChecksumTable t = table;
    if (t == null) {
      return;
    }
    t.begin();
    long to = Math.min(toPage, t.file().size() / ChecksumLayout.ENTRY_BYTES);
    int count;
    for (long page = Math.max(fromPage, ChecksumLayout.FIRST_PAGE); page < to; page += count) {
      long endOfWindow = (page / ChecksumLayout.WINDOW_PAGES + 1) * ChecksumLayout.WINDOW_PAGES;
      count = (int) Math.min(RUN, Math.min(to, endOfWindow) - page);
      if (isStale(t, page, findings)) {
        count = (int) (Math.min(to, endOfWindow) - page);
      } else {
        check(t, page, count, findings);
      }
    }
  }

  /** Reports entries that are authentic but old, where their window or the range begins. */
  private boolean isStale(ChecksumTable t, long page, Consumer<PageDamage> findings) {
    WindowSeals seals = t.seals();
    int window = (int) (page / ChecksumLayout.WINDOW_PAGES);
    if (seals == null || seals.lookUp(window) != null) {
      return false;
    }
    findings.accept(
        new PageDamage(
            ChecksumLayout.NAME, ChecksumLayout.position(page), page, WindowSeals.staleness(page)));
    return true;
  }

  /**
   * Reads pages after comparing them with their checksums.
   *
   * @param pages numbers, ascending, from index {@code from} to {@code to - 1}
   * @param inUse the pages from this one on are not compared
   * @param target receives the pages at its position
   * @param refuse called with a page that is damaged; throws
   * @throws BackupException if a page of an encrypted heap was torn by a write that failed
   */
  public void read(
      long[] pages, int from, int to, long inUse, ByteBuffer target, Consumer<PageDamage> refuse) {
    ChecksumTable t = table;
    if (t != null) {
      t.begin();
    }
    int end;
    for (int start = from; start < to; start = end) {
      end = endOfRun(pages, start, Math.min(to, start + RUN));
      int count = end - start;
      readAuthentic(pages[start], count, refuse);
      if (t != null) {
        compare(t, pages[start], Math.clamp(inUse - pages[start], 0, count), refuse);
      }
      target.put(run.clear().limit(count * PAGE));
    }
  }

  /** Reads pages; refuses the first one that is not authentic, in an encrypted file. */
  private void readAuthentic(long first, int count, Consumer<PageDamage> refuse) {
    try {
      fill(count, home.read(run.clear().limit(count * PAGE), first * PAGE));
    } catch (CorruptException e) {
      if (count > 1) {
        for (int i = 0; i < count; i++) {
          readAuthentic(first + i, 1, refuse);
        }
        throw e;
      }
      if (doubtful.containsPage(first)) {
        throw new BackupException(
            name(first)
                + " of "
                + medium.location()
                + " is not whole, since its last write failed: take the backup again when a"
                + " checkpoint has succeeded.");
      }
      refuse.accept(
          new PageDamage(home.name(), first * PAGE, first, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Repairs a damaged page, or its entry, durably. A copy of the page is written if it has the
   * checksum of the page's entry. If the entry itself is damaged or lost, that of the copy takes
   * its place if the page matches it; nothing can tell then in which state the page must be.
   *
   * @param image the copy of the page, a direct buffer
   * @param theirs the entries of the copy
   * @param entry the copy's entry of the page; 0 if it has none
   * @param current whether the copy is not older than the heap and has a place for the entry: only
   *     such a one tells a page that was never written from one whose entry is lost
   * @return whether the page matches its checksum now
   */
  public boolean repair(
      long page, ByteBuffer image, PageEntries theirs, long entry, boolean current) {
    ChecksumTable t = table;
    if (t == null) {
      return false;
    }
    t.begin();
    long mine = t.entry(page);
    boolean unwritten = mine == 0 && entry == 0 && current;
    if (unwritten || (mine != 0 && entries.isValid(page, mine))) {
      boolean same =
          unwritten ? PageEntries.isZero(image, 0) : entries.matches(page, mine, image, 0);
      if (same) {
        home.write(image.clear(), page * PAGE);
        home.sync();
      }
      return same;
    }
    read(page, 1);
    boolean matches =
        entry != 0 && theirs.isValid(page, entry) && theirs.matches(page, entry, run, 0);
    if (matches) {
      t.put(page, entries.of(page, run, 0));
      t.flush();
      t.file().sync();
    }
    return matches;
  }

  private void read(long page, int count) {
    run.clear().limit(count * PAGE);
    int read =
        medium.encrypted() ? LoadedPages.read(home, run, page, count) : home.read(run, page * PAGE);
    fill(count, read);
  }

  /** Sets what was not read of pages to zero. */
  private void fill(int count, int read) {
    for (int i = read; i < count * PAGE; i++) {
      run.put(i, (byte) 0);
    }
  }

  private String where() {
    return medium.location() + "/" + ChecksumLayout.NAME;
  }

  @Override
  public void close() {
    ChecksumTable t = table;
    if (t != null) {
      t.close();
    }
  }
}
