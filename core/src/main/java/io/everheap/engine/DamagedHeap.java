package io.everheap.engine;

import io.everheap.engine.alloc.ChunkRepair;
import io.everheap.engine.alloc.ExtentGuess;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.ImageMemory;
import io.everheap.engine.home.PageEntries;
import io.everheap.engine.home.PageSet;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.LogSalvage;
import io.everheap.engine.log.Logs;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens a heap that {@link Recovery} refuses, for salvage: uses the superblock that is left, or a
 * placeholder; applies the log up to its damage; takes zeros for missing bytes of the home file.
 * The result may mix several states of the heap; {@link #notes} lists what was found wrong.
 *
 * <p>Works on a copy of the heap's files: {@link #examine} and {@link #extend} on a medium that may
 * be written, {@link #open} on the same files opened for reading only. Used by one thread.
 */
public final class DamagedHeap {
  private static final int MAX_PAGES_NOTED = 20;

  private final Superblock superblock;
  private final boolean guessed;
  private final List<LogSalvage> log;
  private final List<String> notes;
  private final long fileSize;
  private final long imageSize;
  private final PageEntries digests;
  private @Nullable PageSet damagedPages;

  private DamagedHeap(
      Superblock superblock,
      boolean guessed,
      List<LogSalvage> log,
      List<String> notes,
      long fileSize,
      long imageSize,
      PageEntries digests) {
    this.superblock = superblock;
    this.guessed = guessed;
    this.log = log;
    this.notes = notes;
    this.fileSize = fileSize;
    this.imageSize = imageSize;
    this.digests = digests;
  }

  /**
   * Checks that a heap is not encrypted, before its files are copied.
   *
   * @throws io.everheap.error.EncryptionException if it is
   */
  public static void requirePlain(Medium medium) {
    try (MediumFile file = medium.open(HeapFiles.HOME)) {
      SealedMedium.requirePlain(medium, file);
    }
  }

  /**
   * Reads the superblocks, the log and the sizes of the files.
   *
   * @param medium a copy of the heap
   * @param original the heap, on whose key the checksums of its pages depend
   */
  public static DamagedHeap examine(Medium medium, Medium original) {
    List<String> notes = new ArrayList<>();
    try (MediumFile file = medium.open(HeapFiles.HOME)) {
      Superblock.Slot a = FileCheck.slot(file, HomeLayout.SUPERBLOCK_A);
      Superblock.Slot b = FileCheck.slot(file, HomeLayout.SUPERBLOCK_B);
      Superblock newest = Superblock.newest(a, b);
      for (FileCheck.Finding f : FileCheck.superblocks(medium)) {
        notes.add("superblock at byte " + f.offset() + ": " + f.message());
      }
      List<LogSalvage> log;
      Superblock used;
      if (newest == null) {
        log = LogSalvage.newest(medium);
        UUID uuid = log.isEmpty() ? new UUID(0, 0) : log.getLast().uuid();
        used = placeholder(uuid, file.size(), HomeLayout.MAX_EXTENT_SHIFT);
      } else {
        used = newest;
        log = log(medium, used);
      }
      for (LogSalvage part : log) {
        part.damage().ifPresent(notes::add);
      }
      long size = file.size();
      long expected = newest == null ? size : Math.max(newest.capacity(), size);
      LenientReplay needed = new LenientReplay(null, HomeLayout.MAX_CAPACITY);
      log.forEach(part -> part.replay(medium, needed));
      long found = Math.max(Math.max(size, needed.end()), HomeLayout.INITIAL_CAPACITY);
      long image = Math.min(chunks(found), HomeLayout.MAX_CAPACITY);
      if (size < expected) {
        notes.add("the home file has " + size + " of " + expected + " bytes");
      }
      PageEntries digests = PageEntries.of(original, used.uuid());
      return new DamagedHeap(used, newest == null, log, notes, size, image, digests);
    }
  }

  private static List<LogSalvage> log(Medium medium, Superblock s) {
    if (s.clean() && s.minReplayEnd() == s.checkpointLsn()) {
      return List.of();
    }
    return LogSalvage.from(medium, s.uuid(), Recovery.epochs(s), s.minReplayEnd());
  }

  private static long chunks(long bytes) {
    return (bytes + HomeLayout.CHUNK_SIZE - 1) & -HomeLayout.CHUNK_SIZE;
  }

  /** A superblock for a heap that has lost both, with an assumed size of extents. */
  private static Superblock placeholder(UUID uuid, long size, int extentShift) {
    long capacity = Math.max(chunks(size), HomeLayout.INITIAL_CAPACITY);
    return new Superblock(
        uuid, 1, 1, 0, 0, 0, capacity, extentShift, 1 << 16, 1 << 16, 0, 0, 0, List.of());
  }

  /** Extends the home file to the length that it should have, with zeros. */
  public void extend(Medium medium) {
    long extent = 1L << superblock.extentShift();
    long whole = (imageSize + extent - 1) & -extent;
    try (MediumFile file = medium.open(HeapFiles.HOME)) {
      file.truncate(whole);
    }
  }

  /**
   * Opens the heap for reading.
   *
   * @param medium that is read-only
   */
  public Engine open(Medium medium, EngineOptions options) {
    if (!medium.readOnly()) {
      throw new IllegalArgumentException("a damaged heap is only read");
    }
    MediumFile file = medium.open(HeapFiles.HOME);
    Superblock s = superblock;
    if (guessed) {
      s = placeholder(superblock.uuid(), fileSize, guessShift(medium, file));
      notes.add(
          "no superblock is left: extents are assumed to have "
              + (1L << s.extentShift())
              + " bytes, and the newest epochs of the log are replayed completely");
    }
    Home home = new Home(medium, file, s.extentShift(), imageSize, ImageMemory.of(Long.MAX_VALUE));
    try {
      fill(home, medium);
      comparePages(medium, file, home, s);
      long capacity = home.getLong(HomeLayout.CAPACITY_ADDRESS);
      if (capacity < HomeLayout.CHUNK_SIZE
          || (capacity & (HomeLayout.CHUNK_SIZE - 1)) != 0
          || capacity > imageSize) {
        notes.add("the recorded capacity is " + capacity + " bytes; " + imageSize + " are used");
        home.putLong(HomeLayout.CAPACITY_ADDRESS, imageSize);
      }
      int repaired = new ChunkRepair(home).run();
      if (repaired > 0) {
        notes.add("the chunk table has lost " + repaired + " chunks with blocks");
      }
      SuperblockStore superblocks = new SuperblockStore(medium, file);
      superblocks.assume(s);
      RecoveryReport report =
          new RecoveryReport(false, transactions(), 0, 0, start(), end(), s.epoch() + 1, 0);
      return new Engine(
          medium,
          options,
          new Recovery(
              superblocks,
              home,
              null,
              ChangedPages.none(medium),
              Logs.idle(medium, 0, 0),
              ProcessMemory.alone(medium.location(), options.memoryBudget(), capacity),
              report,
              capacity,
              false));
    } catch (RuntimeException | Error e) {
      home.unmap(() -> new IllegalStateException("the heap could not be opened"));
      file.close();
      throw e;
    }
  }

  /** Finds the pages that do not match their checksums, unless an interrupted write explains it. */
  private void comparePages(Medium medium, MediumFile file, Home home, Superblock s) {
    if (guessed || !s.checksums()) {
      return;
    }
    PageSet damaged = new PageSet(s.extentShift(), home.maxExtents());
    try (CheckedPages checked =
        new CheckedPages(medium, file, digests, s.uuid(), s.extentShift(), home.maxExtents())) {
      checked.open();
      if (s.writing()) {
        checked.doubt(home.dirty());
      }
      checked.scrubTable(s.capacity(), this::note);
      checked.scrub(
          0,
          imageSize >>> HomeLayout.PAGE_SHIFT,
          damage -> {
            if (damaged.count() < MAX_PAGES_NOTED) {
              note(damage);
            }
            damaged.addPage(damage.page());
          });
    }
    if (damaged.count() > MAX_PAGES_NOTED) {
      notes.add(damaged.count() + " pages in total are damaged in this way");
    }
    damagedPages = damaged;
  }

  private void note(PageDamage damage) {
    notes.add(damage.file() + " at byte " + damage.offset() + ": " + damage.message());
  }

  /**
   * Whether some of these bytes of the home image are in a page that does not match its checksum.
   */
  public boolean isDamaged(long address, long bytes) {
    PageSet damaged = damagedPages;
    if (damaged == null || damaged.count() == 0) {
      return false;
    }
    long last = (address + Math.max(bytes, 1) - 1) >>> HomeLayout.PAGE_SHIFT;
    for (long page = address >>> HomeLayout.PAGE_SHIFT; page <= last; page++) {
      if (damaged.containsPage(page)) {
        return true;
      }
    }
    return false;
  }

  private void fill(Home home, Medium medium) {
    home.map(imageSize);
    LenientReplay apply = new LenientReplay(home, imageSize);
    log.forEach(part -> part.replay(medium, apply));
  }

  /** Guesses the size of extents from the chunk tables of the image with the log applied. */
  private int guessShift(Medium medium, MediumFile file) {
    Home image =
        new Home(
            medium, file, HomeLayout.MAX_EXTENT_SHIFT, imageSize, ImageMemory.of(Long.MAX_VALUE));
    try {
      fill(image, medium);
      return ExtentGuess.shift(image::getLong, imageSize);
    } finally {
      image.unmap(() -> new IllegalStateException("the size of extents is known"));
    }
  }

  /** The heap's uuid; null if no superblock is left. */
  public @Nullable UUID uuid() {
    return guessed ? null : superblock.uuid();
  }

  /** The damage that was found, as text for people. */
  public List<String> notes() {
    return notes;
  }

  /** Transactions that the log adds to the home image. */
  public long transactions() {
    return log.stream().mapToLong(LogSalvage::transactions).sum();
  }

  /** The LSN where replay starts; 0 if nothing is replayed. */
  public long start() {
    return log.isEmpty() ? 0 : log.getFirst().start();
  }

  /** The LSN that replay reaches. */
  public long end() {
    return log.isEmpty() ? 0 : log.getLast().end();
  }

  /** The LSN that the log is known to have reached; commits from {@link #end} to there are lost. */
  public long known() {
    return log.isEmpty() ? 0 : log.getLast().known();
  }

  /** Whether the files prove that the result is one committed state. */
  public boolean isOneState() {
    return !guessed
        && fileSize >= superblock.capacity()
        && log.stream().allMatch(LogSalvage::reachesHome);
  }
}
