package io.everheap;

import io.everheap.backup.BackupFiles;
import io.everheap.check.OpeningRepair;
import io.everheap.check.UnopenableHeap;
import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.ReplicationException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Internals;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MemoryMedium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.stability.Stable;
import io.everheap.structure.Structures;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Settings for opening a heap. Each has a default that fits most programs; {@code Heap.open(path)}
 * uses the defaults. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class HeapBuilder {
  static {
    Internals.show(HeapBuilder.class, builder -> builder.internal);
  }

  /**
   * Settings of the collector.
   *
   * @param memory limit of the copies of what transactions overwrite during a collection, in bytes
   * @param growth bytes to be allocated before an automatic collection, as a share of the heap's
   *     size
   * @param automatic whether collections start automatically
   */
  record Collecting(long memory, double growth, boolean automatic) {
    static final Collecting DEFAULT =
        new Collecting(Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8), 1, false);
  }

  /** Small extents, because extents in memory are allocated whole. */
  private static final int VOLATILE_EXTENT_SHIFT = 26;

  private final HeapSettings internal = new HeapSettings();
  private final @Nullable Path directory;
  private final CodecRegistry codecs = new CodecRegistry();
  private final EngineOptions defaults = EngineOptions.defaults();
  private Durability durability = Durability.SYNC;
  private boolean readOnly;
  private boolean create = true;
  private long maxSize = defaults.maxCapacity();
  private long logSize = defaults.logSize();
  private long maxLogSize = defaults.maxLogSize();
  private long maxTransaction = defaults.maxTransaction();
  private long memoryBudget = defaults.memoryBudget();
  private boolean sharesMemory = true;
  private Duration lockTimeout = Duration.ofNanos(defaults.lockTimeoutNanos());
  private @Nullable Path archive;
  private List<Path> repairFrom = List.of();
  private @Nullable KeyProvider keys;
  private @Nullable HeapAnchor anchor;
  private boolean identityCache;
  private boolean checkCodecs;
  private Collecting collecting = Collecting.DEFAULT;

  HeapBuilder(@Nullable Path directory) {
    this.directory = directory;
  }

  /** When commits are safe from power loss; {@link Durability#SYNC} by default. */
  public HeapBuilder durability(Durability durability) {
    this.durability = Objects.requireNonNull(durability, "durability");
    return this;
  }

  /** Opens an existing heap without writing anything, for tools; every write throws. */
  public HeapBuilder readOnly() {
    readOnly = true;
    return this;
  }

  /** Fails if there is no heap, instead of making one. */
  public HeapBuilder mustExist() {
    create = false;
    return this;
  }

  /**
   * The maximum size of the home image; allocations beyond it throw {@code FullException}.
   *
   * @param bytes 2 MiB to 16 TiB; 1 TiB by default. Nothing is reserved: files grow as needed
   */
  public HeapBuilder maxSize(long bytes) {
    maxSize = bytes;
    return this;
  }

  /**
   * Target size of the log. With a larger log, checkpoints coalesce more rewrites of hot pages; but
   * after a kill or a power cut opening takes longer, because the log is read, and it takes memory
   * until the next checkpoint: 8 bytes for each transaction and page that it changed.
   *
   * @param bytes at least 16 MiB; by default half of the heap's size, but 64 MiB at least and 512
   *     MiB at most
   */
  public HeapBuilder logSize(long bytes) {
    logSize = bytes;
    maxLogSize = bytes;
    return this;
  }

  /**
   * The maximum size of one transaction in the log; a larger one is rolled back.
   *
   * @param bytes at least 4 KiB; 2 GiB by default
   */
  public HeapBuilder maxTransaction(long bytes) {
    maxTransaction = bytes;
    return this;
  }

  /**
   * Gives this heap a fixed part of the process's memory for pages that differ from the file, on
   * ordinary files, and for decrypted pages. Without this call, all heaps of the process share a
   * quarter of the memory of the machine or of its control group, also heaps of other class
   * loaders: each may use what the others do not use at that moment, and is assured the smaller of
   * 8 MiB and its size while the share suffices, and 1 MiB in any case. A fixed part may exceed
   * that quarter; the others divide the rest, and a heap for which not even 1 MiB is left does not
   * open ({@link io.everheap.error.FullException}).
   *
   * <p>Where the kernel has pages of more than 4 KiB, they count whole; at least 256 are allowed. A
   * heap of more than twice its fixed part, or the quarter, is assumed to be larger than memory:
   * single pages are read on demand, without the 128 KiB or more around them that the kernel
   * otherwise reads of mapped files. Loads of durable objects do not use this.
   *
   * @param bytes at least 1 MiB
   */
  public HeapBuilder memoryBudget(long bytes) {
    memoryBudget = bytes;
    sharesMemory = false;
    return this;
  }

  /**
   * How long a transaction waits for its turn before it throws {@code LockTimeoutException}; five
   * minutes by default.
   */
  public HeapBuilder lockTimeout(Duration timeout) {
    lockTimeout = Objects.requireNonNull(timeout, "timeout");
    return this;
  }

  /**
   * Runs {@link Heap#collect} in a thread of the library whenever transactions have allocated a
   * given share of the heap's size. Off by default.
   *
   * @param growth allocated bytes that start a collection, as a share of the heap's size on the
   *     medium: 0.5 for a half; at least 1 MiB
   * @throws IllegalArgumentException if it is not a positive number
   */
  public HeapBuilder collectAutomatically(double growth) {
    if (!(growth > 0)) {
      throw new IllegalArgumentException("the growth must be positive, not " + growth);
    }
    collecting = new Collecting(collecting.memory(), growth, true);
    return this;
  }

  /**
   * The maximum memory of the Java heap for copies of what transactions overwrite while {@link
   * Heap#collect} marks; if it needs more, the collection gives up and frees nothing.
   *
   * @param bytes at least 1 MiB; an eighth of the largest Java heap by default
   */
  public HeapBuilder collectMemory(long bytes) {
    if (bytes < 1 << 20) {
      throw new IllegalArgumentException("a collection needs at least 1 MiB, not " + bytes);
    }
    collecting = new Collecting(bytes, collecting.growth(), collecting.automatic());
    return this;
  }

  /**
   * Keeps one handle for each object as long as the program holds it, so that {@code ==} compares
   * objects, and {@code transient} fields of classes exist once per object. Off by default: with
   * it, reading a reference takes longer, and handles take more memory.
   */
  public HeapBuilder identityCache() {
    identityCache = true;
    return this;
  }

  /**
   * Decodes every value before it is stored, so that a codec that cannot read what it wrote is
   * found at once: the call throws {@link IllegalArgumentException}, which names the codec and the
   * structure that the value was for. Without this setting, each handle checks the first value that
   * it stores with a codec, and with assertions ({@code -ea}) every value. For tests: it makes
   * writes slower.
   */
  public HeapBuilder checkCodecs() {
    checkCodecs = true;
    return this;
  }

  /**
   * Archives the log beside the backups in a directory, so that the heap can be restored as of any
   * transaction since a backup. A thread of the library copies the log once a second, when a
   * segment is complete, and when the heap is closed; what a crash leaves is copied by the next
   * opening with this setting. The log is kept until it is copied, up to three quarters of it,
   * since transactions do not wait for the archive. If it cannot be written for longer, a warning
   * is logged and log is left out; from then on only a later backup helps.
   *
   * @param backups the directory of {@link Backups}
   */
  public HeapBuilder archive(Path backups) {
    archive = Objects.requireNonNull(backups, "backups");
    return this;
  }

  /**
   * Reads all pages before the heap is opened, and repairs those that do not match their checksums
   * from copies of it: mirrors, replicas, or other copies of its directory. Each repair is logged.
   * Opening takes as long as reading the file does. Without effect on byte-addressable storage,
   * where pages have no checksums, and if the heap is opened for reading only.
   *
   * <p>If no copy has a page in the state in which it was, {@link #open} throws {@link
   * CorruptException}, unless the heap was not closed: then it may be one that a crash tore, which
   * the log repairs.
   *
   * @param copies their directories; those in which there is no heap yet are left out
   */
  public HeapBuilder repairFrom(Path... copies) {
    repairFrom = List.of(copies);
    return this;
  }

  /**
   * Encrypts and authenticates all files of the heap, with AES-256-GCM. A heap is encrypted from
   * its creation on, or by {@link HeapKeys#encrypt}; an encrypted one can only be opened with this
   * setting.
   *
   * <p>An encrypted heap has no regions, and cannot be on byte-addressable storage. Copies that it
   * is repaired from are encrypted with the same wrapping key. Its archive is encrypted with the
   * same wrapping key. With {@link Durability#async} a process that is killed loses the commits
   * that a power loss would. See {@code docs/encryption.md} for what is protected.
   *
   * @param keys gives the key that wraps the heap's own key
   */
  public HeapBuilder encrypt(KeyProvider keys) {
    this.keys = Objects.requireNonNull(keys, "keys");
    return this;
  }

  /**
   * Refuses a heap that ends before an anchor: somebody put back the files of an earlier moment. An
   * encrypted heap whose last checkpoint is that of the anchor must have the same pages as well. A
   * heap that is refused, or that does not exist, is left as it is; {@link #repairFrom} comes
   * before.
   *
   * @param anchor that the program kept elsewhere: {@link HeapAnchor#of}
   */
  public HeapBuilder notOlderThan(HeapAnchor anchor) {
    this.anchor = Objects.requireNonNull(anchor, "anchor");
    return this;
  }

  /** Uses {@code codec} for values of {@code type}, in this heap. */
  public <T> HeapBuilder register(Class<T> type, Codec<T> codec) {
    codecs.register(type, codec);
    return this;
  }

  /**
   * Allows records and enums that are not public: pass {@code MethodHandles.lookup()} of a class
   * that can access them.
   */
  public HeapBuilder lookup(MethodHandles.Lookup lookup) {
    codecs.lookup(lookup);
    return this;
  }

  /**
   * Opens the heap; recovers it first if it was not closed.
   *
   * @throws io.everheap.error.EverheapException when it is locked, missing, foreign, damaged or of
   *     another format; no data was changed then
   */
  public Heap open() {
    EngineOptions options = options();
    Medium on = medium();
    try {
      if (!repairFrom.isEmpty() && !readOnly) {
        OpeningRepair.run(on, repairFrom, keys);
      }
      return open(on, options);
    } catch (RuntimeException | Error e) {
      release(on, e);
      throw e;
    }
  }

  private Heap open(Medium on, EngineOptions options) {
    Engine engine = null;
    try {
      requireHeap(on);
      HeapAnchor least = anchor;
      engine =
          least == null ? Engine.open(on, options) : Engine.open(on, options, least::requireIn);
      settleRole(engine);
      StructureContext structures = Structures.of(engine.context());
      boolean follows = readOnly || options.replica();
      new PendingFrees(structures).resume();
      return new Heap(
          engine,
          structures,
          codecs,
          durability,
          follows ? Collecting.DEFAULT : collecting,
          identityCache);
    } catch (RuntimeException | Error e) {
      if (engine != null) {
        release(engine, e);
      }
      throw e;
    }
  }

  /** Before anything is written: a replica that is written is none any more. */
  private void settleRole(Engine engine) {
    if (readOnly) {
      return;
    }
    HeapSettings.Role role = internal.role();
    boolean decided = ReplicaPosition.isDecided(engine.memory());
    boolean follows = ReplicaPosition.read(engine.memory()).line() != 0;
    if (decided || follows) { // an ordinary opening compares no page
      ReplicaPosition.requireSound(engine.memory());
    }
    if (role == HeapSettings.Role.REPLICA) {
      if (decided) {
        throw new ReplicationException(
            "The replica at " + engine.location() + " was promoted: open it with Heap.open.");
      }
    } else if (decided || role == HeapSettings.Role.PROMOTED) {
      ReplicaPosition.promote(engine.transactions(), engine.recovery().endLsn());
    } else if (follows) {
      throw new ReplicationException(
          "The heap at "
              + engine.location()
              + " is a replica, or was restored from the backup of one: written to, it could never"
              + " follow its primary again. Open it with everheap-replication, promote it"
              + " (everheap promote), or open it read-only.");
    }
  }

  /** Checks the heap; see {@link HeapCheck}. */
  VerifyReport verify(VerifyProgress progress) {
    Objects.requireNonNull(progress, "progress");
    readOnly().mustExist();
    try (Medium on = medium()) {
      try (Heap heap = open(on, options())) {
        return heap.verify(progress);
      } catch (CorruptException e) {
        return new UnopenableHeap(on, e).report();
      }
    }
  }

  private static void release(AutoCloseable opened, Throwable failure) {
    try {
      opened.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private Medium medium() {
    KeyProvider provider = keys;
    if (provider == null) {
      return storage();
    }
    Medium storage = storage();
    try {
      requireHeap(storage); // first: else keys are made where there is none
      return SealedMedium.open(storage, provider);
    } catch (RuntimeException | Error e) {
      release(storage::abandon, e);
      throw e;
    }
  }

  /** An anchor is that of a heap which exists. */
  private void requireHeap(Medium medium) {
    if (!create || anchor != null) {
      Engine.requireHeap(medium);
    }
  }

  private Medium storage() {
    Medium given = internal.medium();
    if (given != null) {
      return given;
    }
    if (directory == null) {
      return new MemoryMedium();
    }
    return Media.open(directory, readOnly, create && !readOnly && anchor == null);
  }

  private EngineOptions options() {
    EngineOptions given = internal.options();
    EngineOptions options = given != null ? given : chosenOptions();
    if (internal.role() == HeapSettings.Role.REPLICA) {
      options = options.ofReplica();
    }
    Path backups = archive;
    if (backups == null || readOnly) {
      return options;
    }
    if (directory != null) {
      BackupFiles.requireOutside("heap", directory.toString(), backups);
    }
    return options.withArchive(history -> archive(backups, history));
  }

  /** Opens the archive of the heap's log, in a directory of backups. */
  private Medium archive(Path backups, String history) {
    Path path = BackupDirectory.archive(backups, history);
    KeyProvider provider = keys;
    try {
      return SealedMedium.with(FileMedium.open(path, false, true), provider);
    } catch (EncryptionException e) {
      if (provider == null) {
        throw e;
      }
      throw new EncryptionException(
          "The archive of the heap's log at "
              + path
              + " is not opened with the key of the heap. If the heap was rekeyed, the archive is"
              + " still wrapped with the old key: rekey the backups too, with Backups.rekey or"
              + " everheap rekey "
              + backups
              + " --key OLD --new-key NEW. Nothing was changed. The reason: "
              + e.getMessage(),
          e);
    }
  }

  private EngineOptions chosenOptions() {
    if (!sharesMemory) {
      EngineOptions.requireMemory(memoryBudget);
    }
    return new EngineOptions(
        maxSize,
        directory == null ? VOLATILE_EXTENT_SHIFT : defaults.extentShift(),
        logSize,
        maxLogSize,
        defaults.segmentSize(),
        defaults.ringSize(),
        maxTransaction,
        memoryBudget,
        TimeUnit.NANOSECONDS.convert(lockTimeout),
        durability instanceof Durability.Sync,
        durability instanceof Durability.Async async ? async.interval().toNanos() : 0,
        internal.threads(),
        checkCodecs,
        null,
        false);
  }
}
