package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.engine.event.Recording;
import io.everheap.engine.event.Recording.RecoveryEvent;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.PageState;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogArchiver;
import io.everheap.engine.log.LogOptions;
import io.everheap.engine.log.LogReader;
import io.everheap.engine.log.Logs;
import io.everheap.engine.log.RecoveredLog;
import io.everheap.engine.log.Redo;
import io.everheap.engine.log.RedoIndex;
import io.everheap.error.CorruptException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Opens a heap, in the same way after a close, a kill and a power loss.
 *
 * <ol>
 *   <li>The log is read to its end, without applying it, and an index of the parts that change each
 *       page is built. The checksums are opened. Until here nothing is changed, and the caller may
 *       refuse what was found.
 *   <li>The newest superblock is written again, since the process that wrote it may have died
 *       before its sync.
 *   <li>The end of the log is written again, so that all accepted records are durable, and a
 *       superblock is written according to which replay must reach it. From here on home pages may
 *       be written.
 *   <li>The pages that the log changes are dirty from now on, and pending: the log is applied to a
 *       page when it is first used.
 *   <li>A new epoch of the log starts: a superblock is written in which it continues the log. Then
 *       the ring is reset, and the first commit is accepted.
 *   <li>In the background: the redo of the pages that were not used, a full checkpoint, a
 *       superblock with the new epoch only; then the segments of older epochs are recycled.
 * </ol>
 *
 * Until that checkpoint the heap works as if it had never been closed or killed, except that its
 * log has several epochs. If the new epoch cannot continue the log ({@link #goesOn}), the first
 * commit is accepted after the checkpoint. A crash at any point leaves a state that the same steps
 * accept. Opening for reading only takes the first and fourth step and writes nothing.
 *
 * @param superblocks the superblocks
 * @param home the home image
 * @param checked the checksums of a file's pages; null on a byte-addressable medium
 * @param changes the pages that were written since a backup
 * @param log the log of the new epoch
 * @param memory the memory for private pages
 * @param report on the opening
 * @param allocated end of the allocated space of the home file
 * @param begun whether the new epoch continues the log; if not, a checkpoint must come first
 */
record Recovery(
    SuperblockStore superblocks,
    Home home,
    @Nullable CheckedPages checked,
    ChangedPages changes,
    Log log,
    MemoryShare memory,
    RecoveryReport report,
    long allocated,
    boolean begun) {

  /**
   * Takes all steps except the last one.
   *
   * @param check is given what was found before anything is changed, and throws to refuse it
   */
  static Recovery run(Medium medium, EngineOptions options, Consumer<FoundHeap> check) {
    long start = System.nanoTime();
    RecoveryEvent event = Recording.isOn() ? new RecoveryEvent() : null;
    if (event != null) {
      event.begin();
    }
    MediumFile file = HeapFiles.openOrCreate(medium, options);
    MemoryShare memory = null;
    Home home = null;
    CheckedPages checked = null;
    ChangedPages changes = null;
    Log log = null;
    RedoIndex index = null;
    Redo redo = null;
    try {
      SuperblockStore superblocks = new SuperblockStore(medium, file);
      Superblock s = superblocks.read();
      LogOptions logOptions = logOptions(s, options);
      boolean persistent = !HeapFiles.isVolatile(medium);
      long size = file.size();
      memory = share(medium, options, size);
      index = new RedoIndex(medium, image(size), memoryForIndex());
      RecoveredLog old = persistent ? readLog(medium, s, index) : null;
      long end = old == null ? s.checkpointLsn() : old.end();
      long epoch = 1 + (old == null ? s.epoch() : old.highestEpoch());
      long allocated = s.capacity();
      requireNumbersLeft(medium, s, epoch, end);
      long limit = limit(size, s, options);
      home = new Home(medium, file, s.extentShift(), limit, memory);
      home.map(medium.readOnly() ? Math.min(size, s.capacity()) : s.capacity());
      if (!medium.byteAddressable()) {
        checked = new CheckedPages(medium, file, s.uuid(), s.extentShift(), home.maxExtents());
        openChecksums(medium, checked, s);
        checked.requireReached(end);
      }
      PageState pages = checked == null ? null : checked.state();
      warnIfOld(medium);
      check.accept(new FoundHeap(medium.location(), s.history(), end, s.checkpointLsn(), pages));
      if (!medium.readOnly()) {
        try (Medium archive = archive(options, s)) { // first: a refusal changes nothing
          superblocks.rewrite();
          if (archive != null && old != null) {
            archive(medium, archive, s, old, logOptions);
          }
        }
      }
      changes = ChangedPages.open(medium, s.uuid(), s.checkpointLsn());
      if (medium.byteAddressable()) {
        endChecksums(medium, superblocks);
      }
      if (old != null && old.transactions() > 0) {
        redo = canWait(medium, memory, index) ? old.redo(index) : null;
        if (!medium.readOnly()) {
          old.persist(logOptions);
          superblocks.write(superblocks.current().reaching(old.end()));
        }
        allocated = highestCapacity(s, home, index);
        apply(medium, memory, old, redo, index, home, checked, changes, superblocks, s.writing());
      }
      long capacity = requireCapacity(medium, home, size);
      if (!medium.readOnly()) {
        // Growth must not write zeros to pages of the file that are mapped: memory would differ.
        allocated = Math.min(size, Math.max(allocated, capacity));
        home.map(allocated);
      }
      if (checked != null) {
        checked.requireCovers(capacity);
        checked.checkLoads(true);
        if (!medium.encrypted()) { // an encrypted page is compared when it is decrypted
          home.compareWith(checked, medium.readOnly() ? size : allocated);
        }
      }
      log = startLog(medium, logOptions, s, old, epoch);
      boolean begun = false;
      if (old != null && goesOn(medium, superblocks.current(), old, logOptions, checked, log)) {
        goOn(superblocks, log, old, epoch);
        begun = true;
      }
      RecoveryReport report = report(s, old, epoch, System.nanoTime() - start);
      record(report, event);
      return new Recovery(
          superblocks, home, checked, changes, log, memory, report, allocated, begun);
    } catch (RuntimeException | Error e) {
      release(file, home, checked, changes, log, memory);
      if (redo != null) {
        redo.close();
      }
      throw e;
    } finally {
      if (redo == null && index != null) {
        index.close();
      }
    }
  }

  private static void warnIfOld(Medium medium) {
    if (medium.encrypted() && !medium.hasKeyedPages() && !medium.readOnly()) {
      EngineLogger.get()
          .log(
              System.Logger.Level.WARNING,
              "the files of {0} are encrypted in version 1"
                  + ", in which old pages that somebody puts back may go unnoticed: everheap upgrade"
                  + " brings them to version 2",
              medium.location());
    }
  }

  /** Opens the archive; null if there is none. */
  private static @Nullable Medium archive(EngineOptions options, Superblock s) {
    Function<String, Medium> archive = options.archive();
    return archive == null ? null : archive.apply(s.history());
  }

  /** Archives what the log of the last opening left, before its segments are used again. */
  private static void archive(
      Medium medium, Medium archive, Superblock s, RecoveredLog old, LogOptions logOptions) {
    LogArchiver.catchUp(medium, archive, s.uuid());
    if (old.transactions() == 0 && old.fromRing() > 0) {
      old.persist(logOptions); // a pad in the ring would be a gap in the archive
    }
  }

  /** A limit of the index, so that opening does not exhaust the process's memory. */
  private static long memoryForIndex() {
    return Runtime.getRuntime().maxMemory() / 8;
  }

  private static RedoIndex.Image image(long size) {
    return new RedoIndex.Image(
        HomeLayout.PAGE_SHIFT,
        HomeLayout.CHUNK_SHIFT,
        HomeLayout.CATALOG_ADDRESS,
        size,
        HomeLayout.CAPACITY_ADDRESS);
  }

  private static void openChecksums(Medium medium, CheckedPages checked, Superblock s) {
    if (s.checksums()) {
      checked.open();
      checked.requireCovers(s.capacity());
      checked.syncCopy();
      checked.openRoot(s);
      if (!s.writing() || medium.hasKeyedPages()) { // else some pages will be in doubt
        checked.checkLoads(false);
      }
    }
  }

  /** Drops the checksums, because on this medium stores reach the home image at any time. */
  private static void endChecksums(Medium medium, SuperblockStore superblocks) {
    Superblock s = superblocks.current();
    if (s.checksums() && !medium.readOnly()) {
      Superblock next = s.reaching(s.minReplayEnd()).without(Superblock.CHECKSUMS);
      // A heap that was closed stays clean: it has no log.
      superblocks.write(s.clean() ? next.with(Superblock.CLEAN) : next);
      medium.delete(ChecksumLayout.NAME);
    }
  }

  /** Continues the log with the new epoch; from here on records may be appended. */
  private static void goOn(SuperblockStore superblocks, Log log, RecoveredLog old, long epoch) {
    superblocks.write(superblocks.current().continued(epoch, old.end(), old.chain()));
    log.begin();
  }

  /**
   * Whether the new epoch continues the log while older ones are still needed. Not if there is
   * nothing for a checkpoint to write, if page checksums must be built first, or if the log would
   * become too long, since several openings in a row may not have completed a checkpoint; and not
   * without a spare segment, which the recovery from the next crash may need on a full disk.
   */
  private static boolean goesOn(
      Medium medium,
      Superblock s,
      RecoveredLog old,
      LogOptions options,
      @Nullable CheckedPages checked,
      Log log) {
    long target = options.target(s.capacity());
    long most = target + target / 4;
    return !medium.readOnly()
        && old.transactions() > 0
        && (checked == null || checked.active())
        && s.canContinue(old.end())
        && (long) old.segmentCount() * options.segmentSize() <= most
        && log.prepare();
  }

  /**
   * The highest capacity of any state in the log. The one in the image may be lower than that of
   * the checkpoint, because pages are written before the superblock.
   */
  private static long highestCapacity(Superblock s, Home home, RedoIndex index) {
    long present = home.getLong(HomeLayout.CAPACITY_ADDRESS);
    return Math.max(Math.max(s.capacity(), present), index.highest());
  }

  /**
   * Makes the pages that the log changes pending, so that the log is applied when they are used;
   * or, if these pages or the index would take more memory than allowed, applies the whole log now.
   *
   * @param redo applies the log to pages when they are used; null to apply it now
   * @param interrupted whether pages were being written when the heap ended
   */
  private static void apply(
      Medium medium,
      MemoryShare memory,
      RecoveredLog old,
      @Nullable Redo redo,
      RedoIndex index,
      Home home,
      @Nullable CheckedPages checked,
      ChangedPages changes,
      SuperblockStore superblocks,
      boolean interrupted) {
    home.map(index.end());
    if (redo != null) {
      home.redo().begin(redo, index::changed);
    } else {
      Runnable spill =
          checked == null || medium.readOnly()
              ? () -> {}
              : new Spill(home, checked, changes, superblocks, interrupted);
      Home image = home;
      long end = index.end();
      old.replay(new Replay(home, () -> memory.pages(image.privatePages(), 0, end), spill));
    }
    // Checksums that are built later cover the capacity only; changed pages may be behind it.
    if (checked != null && (interrupted || !checked.active())) {
      checked.doubt(home.dirty());
    }
  }

  /** The heap's part of the memory of the process; of a medium without private pages, its own. */
  private static MemoryShare share(Medium medium, EngineOptions options, long size) {
    return medium.byteAddressable()
        ? ProcessMemory.alone(medium.location(), options.memoryBudget(), size)
        : ProcessMemory.OF_PROCESS.join(medium.location(), options.memoryBudget(), size);
  }

  /** Whether pages can stay pending until they are used. */
  private static boolean canWait(Medium medium, MemoryShare memory, RedoIndex index) {
    boolean cached = !medium.byteAddressable() && !medium.readOnly(); // else nothing can be spilled
    return index.isComplete() && (!cached || memory.claim(index.pages()));
  }

  private static RecoveredLog readLog(Medium medium, Superblock s, RedoIndex index) {
    if (s.clean() && s.minReplayEnd() == s.checkpointLsn()) {
      return LogReader.closed(medium, s.uuid(), s.epoch(), s.checkpointLsn(), s.chain());
    }
    return LogReader.read(medium, s.uuid(), epochs(s), s.minReplayEnd(), index);
  }

  /** The epochs of the log according to a superblock, in their order. */
  static List<EpochStart> epochs(Superblock s) {
    List<EpochStart> epochs = new ArrayList<>();
    epochs.add(new EpochStart(s.epoch(), s.checkpointLsn(), s.chain()));
    for (Superblock.Later later : s.laterEpochs()) {
      epochs.add(new EpochStart(later.epoch(), later.lsn(), later.chain()));
    }
    return epochs;
  }

  /** The maximum capacity, but not less than the present one. */
  private static long limit(long size, Superblock s, EngineOptions options) {
    return Math.max(options.maxCapacity(), Math.max(s.capacity(), size));
  }

  /** Refuses to write a heap whose numbers are so high that they might overflow. */
  private static void requireNumbersLeft(Medium medium, Superblock s, long epoch, long lsn) {
    long most = Superblock.MAX_NUMBER >>> 1;
    if (!medium.readOnly() && (epoch > most || lsn > most || s.generation() > most)) {
      throw CorruptException.heap(
          "The heap at "
              + medium.location()
              + " cannot be written: epoch "
              + epoch
              + ", LSN "
              + lsn
              + " or superblock generation "
              + s.generation()
              + " is higher than any heap can come to have.");
    }
  }

  private static long requireCapacity(Medium medium, Home home, long size) {
    long capacity = home.getLong(HomeLayout.CAPACITY_ADDRESS);
    if (capacity < HomeLayout.CHUNK_SIZE || (capacity & (HomeLayout.CHUNK_SIZE - 1)) != 0) {
      throw CorruptException.heap(
          "The catalog of "
              + medium.location()
              + "/"
              + HeapFiles.HOME
              + " names a capacity of "
              + capacity
              + " bytes.");
    }
    if (capacity > size) {
      throw CorruptException.truncated(medium.location() + "/" + HeapFiles.HOME, size, capacity);
    }
    home.map(capacity);
    return capacity;
  }

  private static Log startLog(
      Medium medium, LogOptions options, Superblock s, @Nullable RecoveredLog old, long epoch) {
    long end = old == null ? s.checkpointLsn() : old.end();
    int chain = old == null ? s.chain() : old.chain();
    if (medium.readOnly()) {
      return Logs.idle(medium, end, chain);
    }
    Set<String> keep = old == null ? Set.of() : old.segments();
    return Logs.start(medium, options, s.uuid(), epoch, end, chain, keep);
  }

  static LogOptions logOptions(Superblock s, EngineOptions options) {
    long least = Math.max(options.logSize(), 4L * s.segmentSize());
    return new LogOptions(
        s.segmentSize(),
        s.ringSize(),
        least,
        Math.max(options.maxLogSize(), least),
        options.asyncNanos(),
        DurableWrite.of(s.durableWrite()),
        options.automatic());
  }

  private static RecoveryReport report(
      Superblock s, @Nullable RecoveredLog old, long epoch, long nanos) {
    long start = s.checkpointLsn();
    return old == null
        ? new RecoveryReport(s.clean(), 0, 0, 0, start, start, epoch, nanos)
        : new RecoveryReport(
            s.clean(),
            old.transactions(),
            old.bytes(),
            old.discarded(),
            start,
            old.end(),
            epoch,
            nanos);
  }

  private static void record(RecoveryReport report, @Nullable RecoveryEvent event) {
    if (event != null) {
      event.lsn = report.endLsn();
      event.transactions = report.transactions();
      event.bytes = report.bytes();
      event.commit();
    }
  }

  /** Releases everything except the medium. */
  void close() {
    release(home.file(), home, checked, changes, log, memory);
  }

  private static void release(
      MediumFile file,
      @Nullable Home home,
      @Nullable CheckedPages checked,
      @Nullable ChangedPages changes,
      @Nullable Log log,
      @Nullable MemoryShare memory) {
    if (memory != null) {
      memory.close();
    }
    if (log != null) {
      log.close();
    }
    if (home != null) {
      home.unmap(() -> new IllegalStateException("the heap could not be opened"));
    }
    if (checked != null) {
      checked.close();
    }
    if (changes != null) {
      changes.close();
    }
    file.close();
  }
}
