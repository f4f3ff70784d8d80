package io.everheap.cache;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.store.BlockStore;
import io.everheap.cache.store.Departure;
import io.everheap.cache.store.Place;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.Closing;
import io.everheap.memory.DaxMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Internals;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.Threads;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How to open a cache of blocks. The defaults: {@link EvictionPolicy#S3_FIFO}, removals that
 * survive a kill at once and a power loss after at most a second, persistent memory where the file
 * system offers it. Not thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class BlockCacheBuilder {
  static {
    Internals.show(BlockCacheBuilder.class, builder -> builder.internal);
  }

  /** The opening of a cache of this capacity, or less, waits for its recovery. */
  private static final long SMALL = 1L << 30;

  private static final Duration LEAST_INTERVAL = Duration.ofMillis(1);
  private static final Duration MOST_INTERVAL = Duration.ofHours(1);
  private static final System.Logger LOG = System.getLogger(BlockCache.class.getName());

  private enum Storage {
    AUTO,
    FILE,
    DAX
  }

  private record Directory(Path path, long capacity) {}

  private final MediumSetting internal = new MediumSetting();
  private final List<Directory> directories = new ArrayList<>();
  private Storage storage = Storage.AUTO;
  private EvictionPolicy policy = EvictionPolicy.S3_FIFO;
  private long segmentSize;
  private boolean strict;
  private Duration interval = Duration.ofSeconds(1);
  private boolean background = true;
  private Duration patience = Duration.ofMillis(200);
  private boolean checkSegments;
  private boolean tracePins;
  private @Nullable Long generation;
  private @Nullable Long seed;
  private @Nullable BlockRemovalListener listener;
  private Set<RemovalCause> told = Set.of(RemovalCause.values());
  private @Nullable KeyProvider keys;
  private LongSupplier clock = System::currentTimeMillis;
  private Function<Path, Medium> media = this::medium;

  BlockCacheBuilder(Path directory, long capacity) {
    directory(directory, capacity);
  }

  /**
   * Adds a directory, for example on another device. Entries are spread over all directories. A
   * directory that is left out later loses its entries, as far as they are in it.
   *
   * @param directory made if it is missing; holds nothing but this part of the cache
   * @param capacity the most bytes that the cache takes there, with everything that belongs to it
   * @return this
   */
  public BlockCacheBuilder directory(Path directory, long capacity) {
    if (capacity <= 0) {
      throw new IllegalArgumentException("capacity: " + capacity);
    }
    directories.add(new Directory(Objects.requireNonNull(directory, "directory"), capacity));
    return this;
  }

  /**
   * Makes a removal durable before it returns: nothing that was invalidated or replaced is served
   * again, even after a power loss. On ordinary files such an operation then costs a write of the
   * disk; on persistent memory it is always so.
   *
   * @return this
   */
  public BlockCacheBuilder strict() {
    strict = true;
    return this;
  }

  /**
   * Sets how often everything is made durable on ordinary files. A power loss takes what happened
   * since, as if it had not happened. A kill of the process takes nothing.
   *
   * @param every 1 ms to 1 hour; 1 second by default
   * @return this
   */
  public BlockCacheBuilder syncEvery(Duration every) {
    if (every.compareTo(LEAST_INTERVAL) < 0 || every.compareTo(MOST_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "interval %s is not between %s and %s",
              every,
              LEAST_INTERVAL,
              MOST_INTERVAL));
    }
    interval = every;
    return this;
  }

  /**
   * Sets which entry makes room.
   *
   * @param which the policy
   * @return this
   */
  public BlockCacheBuilder policy(EvictionPolicy which) {
    policy = Objects.requireNonNull(which, "policy");
    return this;
  }

  /**
   * Sets the size of segments when the cache is made. A block, with its key, is smaller than a
   * segment. An existing cache keeps the size that it has.
   *
   * @param bytes 64 KiB to 1 GiB, rounded up to a multiple of 4 KiB; by default a 32nd of the first
   *     directory's capacity, at most 16 MiB
   * @return this
   */
  public BlockCacheBuilder segmentSize(int bytes) {
    if (bytes < FileLayout.MIN_SEGMENT || bytes > FileLayout.MAX_SEGMENT) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "segment size %d is not between %d and %d",
              bytes,
              FileLayout.MIN_SEGMENT,
              FileLayout.MAX_SEGMENT));
    }
    segmentSize = (long) (bytes + FileLayout.BLOCK - 1) / FileLayout.BLOCK * FileLayout.BLOCK;
    return this;
  }

  /**
   * Names what the entries are valid for: a version of the data behind the cache, or of the
   * program. Entries that were put under another token are not served.
   *
   * @param token any number; a new cache has 0
   * @return this
   */
  public BlockCacheBuilder generation(long token) {
    generation = token;
    return this;
  }

  /**
   * Lets segments of handles throw {@link IllegalStateException} after the handle is closed, and
   * those of inserts after the insert. Each then is a copy in memory of its own: for tests.
   *
   * @return this
   */
  public BlockCacheBuilder checkSegments() {
    checkSegments = true;
    return this;
  }

  /**
   * Remembers where each handle was made, to report it if the handle is never closed. Costs some
   * microseconds for each lookup: for tests, or to find a leak that was reported.
   *
   * @return this
   */
  public BlockCacheBuilder tracePins() {
    tracePins = true;
    return this;
  }

  /**
   * Sets who is told of blocks that leave the cache. Their bytes are copied for it.
   *
   * @param removals the listener
   * @return this
   */
  public BlockCacheBuilder removalListener(BlockRemovalListener removals) {
    return removalListener(removals, Set.of(RemovalCause.values()));
  }

  /**
   * Sets what is told of blocks that leave the cache for some causes only. Blocks that leave for
   * others are not copied.
   *
   * @param removals the listener
   * @param causes which removals it is told of
   * @return this
   */
  public BlockCacheBuilder removalListener(
      BlockRemovalListener removals, Set<RemovalCause> causes) {
    listener = Objects.requireNonNull(removals, "listener");
    told = Set.copyOf(causes);
    return this;
  }

  /**
   * Uses ordinary files, even where the file system offers persistent memory.
   *
   * @return this
   */
  public BlockCacheBuilder onFile() {
    storage = Storage.FILE;
    return this;
  }

  /**
   * Requires persistent memory that is mapped directly (DAX).
   *
   * @return this
   */
  public BlockCacheBuilder onDax() {
    storage = Storage.DAX;
    return this;
  }

  /**
   * Encrypts and authenticates the cache when it is made; gives the key of an encrypted one. Blocks
   * are encrypted before they are stored, and a lookup decrypts one into memory of its handle. The
   * cache is on ordinary files, also on persistent memory, and keeps 64 bytes more of each entry in
   * memory. All directories get the same data key.
   *
   * @param provider gives the wrapping key
   * @return this
   * @see io.everheap.EncryptedDirectory
   */
  public BlockCacheBuilder encrypt(KeyProvider provider) {
    keys = Objects.requireNonNull(provider, "provider");
    return this;
  }

  /** How long the opening of a small cache waits for its recovery, for tests. */
  BlockCacheBuilder patience(Duration most) {
    patience = most;
    return this;
  }

  /** Without threads of its own: entries are recovered when asked to, for tests. */
  BlockCacheBuilder background(boolean threads) {
    background = threads;
    return this;
  }

  /** Another clock, in milliseconds since 1970, for tests. */
  BlockCacheBuilder clock(LongSupplier millis) {
    clock = millis;
    return this;
  }

  /** Random numbers that are the same each time, for tests. */
  BlockCacheBuilder seed(long first) {
    seed = first;
    return this;
  }

  /** Other media than those of the directories, for tests. */
  BlockCacheBuilder media(Function<Path, Medium> opens) {
    media = opens;
    return this;
  }

  LongSupplier clock() {
    return clock;
  }

  /**
   * Opens the cache, or makes it. The entries of earlier openings are found in the background and
   * are misses until then. For caches of 1 GiB at most this waits until they are found, but no
   * longer than 0.2 s; {@link BlockCache#awaitIndexed} waits for all.
   *
   * @return the cache
   * @throws io.everheap.error.LockedException if it is open in this or another process
   * @throws io.everheap.error.ForeignException if a directory's file is not that of this cache, or
   *     its format is not known; it is left as it is
   * @throws io.everheap.error.EncryptionException if the key is missing or another one, if the
   *     cache is not encrypted, or if it is to be on persistent memory
   * @throws io.everheap.error.DiskFullException if there is no room for the tables of a new cache
   * @throws io.everheap.error.MediumException if the files cannot be used
   */
  public BlockCache open() {
    BlockRemovalListener told = listener;
    Consumer<Departure> departed = told == null ? null : departure -> tell(told, departure);
    EvictionPolicy chosen = policy;
    Set<RemovalCause> causes = this.told;
    var options =
        new BlockStore.Options(
            segmentSize,
            strict,
            generation,
            seed,
            clock,
            chosen::make,
            departed,
            cause -> causes.contains(RemovalCause.of(cause)),
            keys);
    List<Place> places = places();
    BlockStore store = null;
    try {
      store = BlockStore.open(places, options);
      BlockCache cache =
          new BlockCache(store, interval.toNanos(), background, checkSegments, tracePins);
      if (background && directories.stream().mapToLong(Directory::capacity).sum() <= SMALL) {
        store.awaitIndexed(patience);
      }
      return cache;
    } catch (Throwable t) { // there may be no memory for a thread
      if (store != null) {
        Closing.after(t, store::close);
      }
      places.forEach(place -> Closing.after(t, place.medium()::close));
      throw t;
    }
  }

  private List<Place> places() {
    for (Directory directory : directories) {
      long least =
          FileLayout.segments(FileLayout.removalBytes(directory.capacity()))
              + Math.max(segmentSize, FileLayout.MIN_SEGMENT);
      if (directory.capacity() < least) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a capacity of %d bytes is too small; it needs at least %d",
                directory.capacity(),
                least));
      }
    }
    Medium given = internal.medium();
    List<Place> places = new ArrayList<>();
    Medium medium = null;
    try {
      for (Directory directory : directories) {
        medium = given != null ? given : media.apply(directory.path());
        places.add(new Place(medium, directory.capacity()));
      }
      return places;
    } catch (Throwable t) {
      if (medium != null) {
        Closing.after(t, medium::close);
      }
      places.forEach(place -> Closing.after(t, place.medium()::close));
      throw t;
    }
  }

  private Medium medium(Path directory) {
    return switch (storage) {
      case AUTO ->
          keys == null
              ? Media.open(directory, false, true)
              : FileMedium.open(directory, false, true);
      case FILE -> FileMedium.open(directory, false, true);
      case DAX -> DaxMedium.open(directory, false, true);
    };
  }

  private static void tell(BlockRemovalListener listener, Departure departure) {
    try {
      RemovalCause cause = RemovalCause.of(departure.cause());
      Threads.runForeign(() -> listener.removed(departure.key(), departure.value(), cause));
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, "a removal listener failed", e);
    }
  }
}
