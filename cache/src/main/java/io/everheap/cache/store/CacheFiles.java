package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.memory.Closing;
import io.everheap.memory.DirectoryKind;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.EntrySealer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of a cache, one in each directory, and makes those that are missing. A file that
 * was absent while the others changed is emptied: what was removed meanwhile may still be in it. So
 * are all, if they changed one without the other.
 */
final class CacheFiles {
  private final List<Place> places;
  private final Settings settings;
  private final List<Found> found = new ArrayList<>();

  /**
   * What a new cache gets.
   *
   * @param segmentSize bytes of a segment; 0 for one that fits the capacity
   * @param token the first one
   * @param seed of what is random; null for any
   * @param sealer null if it is not encrypted
   */
  record Settings(
      long segmentSize, long token, @Nullable Long seed, @Nullable EntrySealer sealer) {}

  /** A file and its newest superblock; null if there is no such file. */
  private record Found(Place place, @Nullable Superblock superblock) {}

  private CacheFiles(List<Place> places, Settings settings) {
    this.places = places;
    this.settings = settings;
  }

  /**
   * Opens or makes all files.
   *
   * @throws ForeignException if one is not a cache's, belongs to another cache, or has a format
   *     that is not known
   */
  static Opened open(List<Place> places, Settings settings) {
    return new CacheFiles(places, settings).open();
  }

  /**
   * Files, and what the newest superblock of all says.
   *
   * @param isMixed whether entries changed in different files while the others were absent, so that
   *     none of them knows all that was removed
   */
  record Opened(List<CacheFile> files, State state, boolean isMixed) {}

  private Opened open() {
    List<CacheFile> files = new ArrayList<>();
    try {
      for (Place place : places) {
        found.add(new Found(place, read(place.medium(), settings.sealer())));
        if (found.getLast().superblock() == null) {
          DirectoryKind.CACHE.requireNoOther(place.medium());
        }
      }
      Superblock newest = newest();
      State state = newest == null ? State.empty(settings.token()) : newest.state();
      boolean isMixed = false;
      for (Found each : found) {
        isMixed |= wasOpenElsewhere(each.superblock(), newest);
        files.add(open(each, newest, files));
      }
      return new Opened(List.copyOf(files), state, isMixed);
    } catch (Throwable t) {
      Closing.after(t, () -> close(files));
      throw t;
    }
  }

  /** Closes all files, also if one cannot be closed. */
  static void close(List<CacheFile> files) {
    Closing closing = new Closing();
    for (CacheFile file : files) {
      closing.then(file::close);
    }
    closing.end();
  }

  private @Nullable Superblock newest() {
    Superblock newest = null;
    for (Found each : found) {
      Superblock its = each.superblock();
      if (its != null) {
        if (newest != null && !its.cache().equals(newest.cache())) {
          throw ForeignException.of(
              each.place().medium().location() + "/" + FileLayout.NAME,
              "part of the cache at " + found.getFirst().place().medium().location(),
              "it belongs to another one");
        }
        if (newest == null || its.state().counter() > newest.state().counter()) {
          newest = its;
        }
      }
    }
    return newest;
  }

  private CacheFile open(Found each, @Nullable Superblock newest, List<CacheFile> before) {
    Medium medium = each.place().medium();
    Superblock its = each.superblock();
    if (its != null
        && newest != null
        && (its.state().epoch() < newest.state().active() || wasOpenElsewhere(its, newest))) {
      medium.delete(FileLayout.NAME); // it was absent while entries changed
      its = null;
    }
    if (its == null) {
      its = create(each.place(), newest, before);
    }
    MediumFile file = medium.open(FileLayout.NAME);
    try {
      Superblock resized = resize(file, its, each.place().capacity());
      return new CacheFile(medium, file, resized, settings.sealer());
    } catch (Throwable t) {
      Closing.after(t, file::close);
      throw t;
    }
  }

  /** Whether a file was open in an epoch of its own, without the newest one. */
  private static boolean wasOpenElsewhere(@Nullable Superblock its, @Nullable Superblock newest) {
    if (its == null || newest == null) {
      return false;
    }
    State one = its.state();
    State other = newest.state();
    return one.epoch() > other.epoch()
        || (one.epoch() == other.epoch() && one.devices() != other.devices());
  }

  /** Explains a fault of mapped memory of one of the files. */
  static EverheapException explain(List<CacheFile> files, Throwable fault) {
    return files.stream()
        .filter(CacheFile::isFull)
        .findFirst()
        .orElse(files.getFirst())
        .explain(fault);
  }

  /**
   * The newest superblock of a file; null if there is no file.
   *
   * @param sealer decrypts it; null if the cache is not encrypted
   */
  static @Nullable Superblock read(Medium medium, @Nullable EntrySealer sealer) {
    if (!medium.exists(FileLayout.NAME)) {
      return null;
    }
    String location = medium.location() + "/" + FileLayout.NAME;
    ByteBuffer bytes = ByteBuffer.allocate(2 * Superblock.SIZE);
    try (MediumFile file = medium.open(FileLayout.NAME)) {
      file.read(bytes, 0);
    }
    Superblock first = Superblock.read(bytes.slice(0, Superblock.SIZE), sealer);
    Superblock second = Superblock.read(bytes.slice(Superblock.SIZE, Superblock.SIZE), sealer);
    if (first != null && second != null) {
      return first.state().counter() > second.state().counter() ? first : second;
    }
    if (first != null || second != null) {
      return first != null ? first : second;
    }
    for (int i = 0; i < 2; i++) {
      ByteBuffer block = bytes.slice(i * Superblock.SIZE, Superblock.SIZE);
      int known = sealer == null ? Superblock.VERSION : Superblock.ENCRYPTED;
      if (Superblock.isMagic(block) && Superblock.version(block) != known) {
        throw ForeignException.version(location, Superblock.version(block), known);
      }
    }
    throw ForeignException.of(
        location,
        "the file of a cache",
        "neither of its superblocks is sound; it is left as it is");
  }

  /** Makes a file of zeros and two superblocks, and gives it its name when it is durable. */
  private Superblock create(Place place, @Nullable Superblock newest, List<CacheFile> before) {
    Medium medium = place.medium();
    // Identities are different each time, also if they are not random.
    long made = before.size() + (newest == null ? 0 : newest.state().counter() << 8);
    var random = settings.seed() == null ? new Random() : new Random(settings.seed() + made);
    Superblock model =
        newest != null ? newest : before.isEmpty() ? null : before.getFirst().identity();
    long device = random.nextLong() | 1;
    UUID cache = model != null ? model.cache() : new UUID(random.nextLong(), random.nextLong());
    long segmentSize =
        model != null
            ? model.segmentSize()
            : settings.segmentSize() > 0
                ? settings.segmentSize()
                : FileLayout.segmentSize(place.capacity());
    long hashSeed = model != null ? model.hashSeed() : random.nextLong();
    State state = newest != null ? newest.state() : State.empty(settings.token());
    long size = fileSize(place.capacity(), FileLayout.removalBytes(place.capacity()), segmentSize);
    Superblock superblock =
        new Superblock(
            cache,
            device,
            size,
            segmentSize,
            FileLayout.removalBytes(place.capacity()),
            hashSeed,
            state);
    medium.delete(FileLayout.NEW);
    try (MediumFile file = medium.create(FileLayout.NEW)) {
      file.truncate(size);
      // Its space is taken now, so that storing into it cannot fail on a full disk.
      CacheFile.fill(file, FileLayout.REMOVALS, superblock.removalBytes());
      ByteBuffer block = CacheFile.aligned(Superblock.SIZE);
      CacheFile.write(file, block, superblock, state, settings.sealer());
      file.sync();
    }
    medium.rename(FileLayout.NEW, FileLayout.NAME);
    medium.syncDirectory("");
    return superblock;
  }

  /** Gives the file the size for another capacity; cut segments come back as zeros. */
  private static Superblock resize(MediumFile file, Superblock its, long capacity) {
    long size = fileSize(capacity, its.removalBytes(), its.segmentSize());
    if (file.size() != size) {
      file.truncate(size);
      file.sync();
    }
    return new Superblock(
        its.cache(),
        its.device(),
        size,
        its.segmentSize(),
        its.removalBytes(),
        its.hashSeed(),
        its.state());
  }

  private static long fileSize(long capacity, long removalBytes, long segmentSize) {
    int segments = FileLayout.segmentCount(capacity, removalBytes, segmentSize);
    if (segments < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a capacity of %d bytes has no room for a segment of %d bytes; it needs at least %d",
              capacity,
              segmentSize,
              FileLayout.segments(removalBytes) + segmentSize));
    }
    return FileLayout.segments(removalBytes) + segments * segmentSize;
  }
}
