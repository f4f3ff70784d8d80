package io.everheap.engine;

import io.everheap.engine.counters.CountersLayout;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.LogLayout;
import io.everheap.engine.log.LogOptions;
import io.everheap.engine.log.LogReader;
import io.everheap.engine.log.Logs;
import io.everheap.engine.log.RingLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Exchange;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** The names of a heap's files, and how a heap is made and deleted. Stateless. */
public final class HeapFiles {
  static final String HOME = "heap";

  /** The home file of a heap that is being deleted. */
  private static final String DELETED = "heap.deleted";

  static final String UNFINISHED = "heap.new";

  /** Exists while a backup is restored. */
  static final String RESTORING = "restoring";

  /** The files of the lock, which a directory without a heap may have. */
  static final Set<String> LOCKS = Set.of("lock", "owner");

  private static final Set<String> OURS =
      Set.of(
          UNFINISHED,
          ChecksumLayout.NAME,
          "heap.root",
          "heap.round",
          ChangedPages.NAME,
          ChangedPages.UNFINISHED,
          LogLayout.DIRECTORY,
          "ring",
          "ring.new",
          "lock",
          "owner",
          CountersLayout.NAME,
          CountersLayout.NAME + ".new",
          "scratch");

  private static final Set<String> KEYS = Set.of(KeyFile.NAME, KeyFile.NAME + ".new");

  private HeapFiles() {}

  /**
   * Opens the home file; creates it if there is none. A new heap is built under another name and
   * renamed when it is durable, so an incomplete one is never opened but created anew.
   */
  static MediumFile openOrCreate(Medium medium, EngineOptions options) {
    if (!medium.exists(HOME)) {
      requireRestored(medium);
      requireNotDeleted(medium);
      if (medium.readOnly()) {
        requireHome(medium);
      }
      requireNotLost(medium);
      List<String> others = medium.list("").stream().filter(name -> !OURS.contains(name)).toList();
      if (!others.isEmpty()) {
        throw ForeignException.heap(
            medium.location(),
            "the directory holds no heap, but "
                + (medium.exists("journal") ? "a journal and " : "")
                + "other files ("
                + others.getFirst()
                + "); choose an empty or a new directory");
      }
      LogReader.evidence(medium).ifPresent(evidence -> refuseLost(medium, evidence));
      create(medium, options);
    }
    return medium.open(HOME);
  }

  /** Checks that there is a home file. */
  static void requireHome(Medium medium) {
    if (!medium.exists(HOME)) {
      requireRestored(medium);
      requireNotDeleted(medium);
      requireNotLost(medium);
      throw MissingException.heap(
          medium.exists("journal")
              ? medium.location()
                  + " holds a journal, not a heap: open it with Journal.open, look at it with"
                  + " everheap journal"
              : "There is no heap in " + medium.location() + ".",
          null);
    }
  }

  private static void requireRestored(Medium medium) {
    if (medium.exists(RESTORING)) {
      throw MissingException.heap(
          "The restore of a backup into " + medium.location() + " was interrupted; repeat it.",
          null);
    }
  }

  private static void requireNotDeleted(Medium medium) {
    if (medium.exists(DELETED)) {
      throw MissingException.heap(
          "The deletion of the heap in "
              + medium.location()
              + " was interrupted; repeat it with Heap.delete.",
          null);
    }
  }

  /**
   * Whether there is a file with the name of a heap's: one that is being made, restored or deleted
   * has another.
   *
   * @throws MediumException if there is one that cannot be reached, such as a broken link
   */
  public static boolean exists(Medium medium) {
    return medium.exists(HOME) && medium.list("").contains(HOME);
  }

  private static void requireFile(Medium medium, List<String> files) {
    if (!files.contains(HOME)) {
      throw MissingException.heap(
          "There is no heap in "
              + medium.location()
              + ", but a directory with the name \""
              + HOME
              + "\".",
          null);
    }
  }

  /**
   * Deletes all files of a heap, and no others; of a link, the link. Its home file gets another
   * name first and goes last: what an interruption leaves can only be deleted.
   *
   * @param medium has the lock of the heap, whose files go too
   */
  public static void delete(Medium medium) {
    requireDeletable(medium);
    if (medium.exists(HOME)) {
      medium.rename(HOME, DELETED);
      medium.syncDirectory("");
    }
    delete(medium, LogLayout.DIRECTORY, HeapFiles::isInLog);
    delete(medium, "", HeapFiles::isBesideHome);
    delete(
        medium,
        "",
        name ->
            KEYS.contains(
                Exchange.finalName(name))); // an encrypted file without its keys is refused
    medium.delete(DELETED);
    medium.syncDirectory("");
    LOCKS.forEach(medium::delete);
  }

  private static void delete(Medium medium, String directory, Predicate<String> ours) {
    List<String> names = medium.list(directory).stream().filter(ours).toList();
    String prefix = directory.isEmpty() ? "" : directory + "/";
    names.forEach(name -> medium.delete(prefix + name));
    if (directory.isEmpty() || medium.exists(directory)) {
      medium.syncDirectory(directory); // an earlier process may have deleted without a sync
    }
  }

  private static boolean isInLog(String name) {
    return name.equals("new") || SegmentLayout.isSegment(Exchange.finalName(name));
  }

  private static boolean isBesideHome(String name) {
    String known = Exchange.finalName(name);
    return (OURS.contains(known) && !LOCKS.contains(known))
        || (known.equals(HOME) && !known.equals(name))
        || name.equals(RESTORING)
        || RegionFile.isRegion(name)
        || Exchange.isMark(name);
  }

  /**
   * Checks that there is a heap, or that its deletion was interrupted.
   *
   * @throws MissingException if there is none
   * @throws ForeignException if its file is not that of a heap
   * @throws CorruptException if the home file is missing, but others are there
   */
  public static void requireDeletable(Medium medium) {
    List<String> files = medium.list("");
    if (!files.contains(DELETED)) {
      requireHome(medium);
      requireFile(medium, files);
    }
    if (files.contains(HOME) && !SealedMedium.hasSealed(medium, HOME)) {
      try (MediumFile file = medium.open(HOME)) {
        if (FileCheck.slot(file, 0) instanceof Superblock.Slot.Foreign
            && FileCheck.slot(file, SuperblockStore.SLOT) instanceof Superblock.Slot.Foreign) {
          throw ForeignException.heap(medium.location() + "/" + HOME, "it has no superblock");
        }
      }
    }
  }

  /**
   * The ring is created after the home file is renamed, so it proves that there was a home file.
   */
  private static void requireNotLost(Medium medium) {
    if (medium.exists(RingLayout.NAME)) {
      throw CorruptException.heap(
          medium.location()
              + "/"
              + HOME
              + " is missing, but the files of its log are there. Restore the heap from a backup;"
              + " to begin an empty one, choose another directory.");
    }
  }

  private static void refuseLost(Medium medium, String evidence) {
    throw CorruptException.heap(
        "The home image "
            + medium.location()
            + "/"
            + HOME
            + " is missing, but the log beside it "
            + evidence
            + ". Restore the file from a backup, or choose another directory.");
  }

  private static void create(Medium medium, EngineOptions options) {
    if (medium.exists(UNFINISHED)) {
      medium.delete(UNFINISHED);
    }
    try (MediumFile file = medium.create(UNFINISHED)) {
      long capacity = HomeLayout.INITIAL_CAPACITY;
      file.write(ByteBuffer.allocateDirect((int) capacity), 0);
      file.write(word(capacity), HomeLayout.CAPACITY_ADDRESS);
      Superblock first =
          new Superblock(
              UUID.randomUUID(),
              1,
              1,
              0,
              0,
              0,
              capacity,
              options.extentShift(),
              options.segmentSize(),
              options.ringSize(),
              medium.probeDurableWrite().code(),
              System.currentTimeMillis(),
              Superblock.CLEAN | (medium.byteAddressable() ? 0 : Superblock.CHECKSUMS),
              List.of());
      file.write(first.encode(), first.address());
      file.sync();
      if (first.checksums()) {
        buildChecksums(medium, file, first);
      }
      if (!isVolatile(medium)) { // the log of epoch 1, which has no records
        LogOptions log = Recovery.logOptions(first, options);
        Logs.start(medium, log, first.uuid(), first.epoch(), 0, 0, Set.of()).close();
      }
    }
    medium.rename(UNFINISHED, HOME);
    medium.syncDirectory("");
  }

  private static void buildChecksums(Medium medium, MediumFile file, Superblock first) {
    CheckedPages pages = new CheckedPages(medium, file, first.uuid(), first.extentShift(), 1);
    try (pages) {
      pages.build(0, first.capacity());
    }
  }

  /** Whether nothing on this medium outlives the process. */
  static boolean isVolatile(Medium medium) {
    return medium.name().equals("memory");
  }

  private static ByteBuffer word(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
  }
}
