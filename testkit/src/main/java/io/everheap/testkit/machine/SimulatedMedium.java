package io.everheap.testkit.machine;

import io.everheap.engine.Engine;
import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A medium in memory that knows what a crash could leave behind. It sees every store to a shared
 * mapping, every file call and everything that makes bytes durable, and gives a {@link CrashImage}
 * of any moment, from which a killed process or a machine that lost its power comes back as a new
 * simulated medium, which can crash again.
 *
 * <p>Two models. On {@linkplain #file ordinary storage}, bytes become durable with a sync or a
 * durable write; until then a power loss keeps any version of each sector of 512 bytes, of each
 * page of 4 KiB of a shared mapping, of the file's length, and of each directory entry. On
 * {@linkplain #dax byte-addressable storage}, a power loss keeps any version of each granule of 8
 * bytes that was stored since its cache line of 64 bytes was forced. The earlier versions that are
 * remembered are limited to 6 to 16 for each unit, with the durable one and the newest among them.
 *
 * <p>Any thread may use the medium; one lock orders everything. A mapping may not cross the borders
 * of an open one of the same file, and files are renamed within their directory only.
 */
public final class SimulatedMedium implements Medium {
  private final boolean byteAddressable;
  private final boolean readOnly;
  private final long seed;
  private final int powerLosses;
  private final Directory directory;
  private final Map<Integer, FileContent> files = new TreeMap<>();
  private final Faults faults = new Faults(this);
  private final Set<PrivateRegion> regions = new HashSet<>();
  private final Arena memory = Arena.ofShared();
  private final Map<CrashPoint.Kind, Long> counts = new EnumMap<>(CrashPoint.Kind.class);
  private int nextId;
  private long interval;
  private long points;
  private long lethalPoint = Long.MAX_VALUE;
  private long idleForces;
  private long cleanLines;
  private long idleSyncs;
  private Consumer<CrashPoint> observer = point -> {};
  private @Nullable Crash crash;
  private @Nullable CrashImage remains;
  private @Nullable HomeWatch watch;
  private @Nullable HomeHistory homes;

  /**
   * Creates an empty medium of ordinary storage.
   *
   * @param seed makes the medium's texts that are random elsewhere
   * @return the medium
   */
  public static SimulatedMedium file(long seed) {
    return new SimulatedMedium(false, seed);
  }

  /**
   * Creates an empty medium of byte-addressable storage.
   *
   * @param seed makes the medium's texts that are random elsewhere
   * @return the medium
   */
  public static SimulatedMedium dax(long seed) {
    return new SimulatedMedium(true, seed);
  }

  private SimulatedMedium(boolean byteAddressable, long seed) {
    this.byteAddressable = byteAddressable;
    this.readOnly = false;
    this.seed = seed;
    this.powerLosses = 0;
    this.directory = new Directory();
  }

  SimulatedMedium(CrashImage image, boolean readOnly) {
    this.byteAddressable = image.byteAddressable();
    this.readOnly = readOnly;
    this.seed = image.seed();
    this.powerLosses = image.powerLosses();
    this.directory = image.directory().copy();
    this.nextId = image.nextId();
    this.watch = image.watch();
    this.homes = image.homes();
    for (FileImage file : image.files()) {
      files.put(file.id(), new FileContent(this, file));
    }
  }

  /**
   * Returns the faults of this medium, to make its disk fail.
   *
   * @return the faults
   */
  public Faults faults() {
    return faults;
  }

  /**
   * Sets the observer of all moments at which this machine could fail. The observer runs in the
   * thread that reached the moment, while everything else on this medium waits; it may take an
   * {@link #image} and must not use the medium otherwise.
   *
   * @param newObserver receives the moments from now on
   */
  public synchronized void observe(Consumer<CrashPoint> newObserver) {
    observer = newObserver;
  }

  /**
   * Kills the process at a later moment: it throws an {@link Error} there, and so does everything
   * that uses the medium later.
   *
   * @param number the number of the moment
   */
  public synchronized void dieAt(long number) {
    lethalPoint = number;
  }

  /**
   * Returns how many moments there were so far.
   *
   * @return the number of the last one
   */
  public synchronized long points() {
    return points;
  }

  /**
   * Returns how often something happened.
   *
   * @param kind what
   * @return how often
   */
  public synchronized long count(CrashPoint.Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /**
   * Returns how many forces had nothing to write back.
   *
   * @return how many of all forces were needless
   */
  public synchronized long idleForces() {
    return idleForces;
  }

  /**
   * Returns how many syncs of files had nothing to make durable.
   *
   * @return how many of all syncs were needless
   */
  public synchronized long idleSyncs() {
    return idleSyncs;
  }

  /**
   * Returns how many cache lines were forced although nothing was stored to them since they were
   * written back. Where whole pages are forced, as by a checkpoint, most lines may be such.
   *
   * @return the number of lines, of all forces
   */
  public synchronized long cleanLines() {
    return cleanLines;
  }

  /**
   * Freezes the state of the machine as it is now. Also works on a closed or killed medium.
   *
   * @return the state
   */
  public synchronized CrashImage image() {
    CrashImage kept = remains;
    if (kept != null) {
      return kept;
    }
    List<FileImage> images = new ArrayList<>();
    files.values().removeIf(file -> !directory.mayHold(file.id));
    files.forEach((id, file) -> images.add(file.image()));
    return new CrashImage(
        byteAddressable,
        seed,
        powerLosses,
        nextId,
        directory.copy(),
        List.copyOf(images),
        watch,
        homes);
  }

  /**
   * Kills the process now: what it stored and wrote is there, and nothing else of it.
   *
   * @return the medium as the next process finds it
   */
  public SimulatedMedium processKill() {
    return image().processKill();
  }

  /**
   * Cuts the power now.
   *
   * @param chooser which version survives of each unit that was not durable
   * @return the medium as the next process finds it
   */
  public SimulatedMedium powerLoss(Chooser chooser) {
    return image().powerLoss(chooser);
  }

  /**
   * Inverts a bit of a file, durably, as a decaying disk does.
   *
   * @param name the file
   * @param offset the byte
   * @param bit which of its bits, 0 to 7
   */
  public synchronized void flipBit(String name, long offset, int bit) {
    existing("damage", name).flipBit(offset, bit);
    watch = null; // the image may differ from now on
  }

  /** Compares home images from now on, in this process and its successors. */
  public synchronized void watchHomes(HomeWatch by) {
    watch = by;
  }

  /**
   * An engine was opened on this medium: if home images are compared, its own must be that of the
   * last commit that was recovered.
   */
  public void opened(Engine engine) {
    HomeWatch by;
    HomeHistory before;
    synchronized (this) {
      by = watch;
      before = homes;
    }
    if (by != null) {
      HomeHistory now = by.watch(before, engine);
      synchronized (this) {
        homes = now;
      }
    }
  }

  @Override
  public String name() {
    return byteAddressable ? "simulated-dax" : "simulated-file";
  }

  @Override
  public String location() {
    return "simulation-" + seed;
  }

  @Override
  public boolean byteAddressable() {
    return byteAddressable;
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  @Override
  public String incarnation() {
    var random = new Random(seed + 7919L * powerLosses);
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  @Override
  public synchronized boolean exists(String name) {
    requireAlive();
    return directory.find(name) != null || directory.isDirectory(name);
  }

  @Override
  public synchronized List<String> list(String name) {
    requireAlive();
    return directory.list(name);
  }

  @Override
  public synchronized MediumFile create(String name) {
    requireAlive();
    requireChangeable("create", name);
    if (directory.find(name) != null || directory.isDirectory(name)) {
      throw new MediumException("cannot create " + name + " in a simulation: it exists", null);
    }
    var content = new FileContent(this, nextId++, name);
    files.put(content.id, content);
    directory.create(name, content.id);
    happened(CrashPoint.Kind.CREATE, name, 0, 0);
    return new SimulatedFile(this, content, name);
  }

  @Override
  public synchronized MediumFile open(String name) {
    requireAlive();
    return new SimulatedFile(this, existing("open", name), name);
  }

  @Override
  public MediumFile openLog(String name, DurableWrite how) {
    return open(name);
  }

  @Override
  public synchronized void rename(String from, String to) {
    requireAlive();
    requireChangeable("rename", from);
    FileContent content = existing("rename", from);
    if (!from.equals(to)) {
      directory.rename(from, to, content.id);
      content.rename(to);
      happened(CrashPoint.Kind.RENAME, to, 0, 0);
    }
  }

  @Override
  public synchronized void delete(String name) {
    requireAlive();
    requireChangeable("delete", name);
    Integer file = directory.find(name);
    if (file != null) {
      directory.delete(name, file);
      happened(CrashPoint.Kind.DELETE, name, 0, 0);
    }
  }

  @Override
  public synchronized void syncDirectory(String name) {
    requireAlive();
    requireChangeable("sync", name);
    happened(CrashPoint.Kind.SYNC_DIRECTORY, name, 0, 0);
    directory.synced(name);
  }

  @Override
  public DurableWrite probeDurableWrite() {
    return DurableWrite.DSYNC;
  }

  /** Ends the process regularly; an image of the machine can still be taken. */
  @Override
  public synchronized void close() {
    if (remains == null) {
      remains = image();
      release();
    }
  }

  void happened(CrashPoint.Kind kind, String file, long position, long length) {
    points++;
    counts.merge(kind, 1L, Long::sum);
    var point = new CrashPoint(points, kind, file, position, length);
    observer.accept(point);
    if (points >= lethalPoint) {
      remains = image();
      crash = new Crash(point);
      release();
      throw crash;
    }
    if (kind.persists()) {
      interval++;
    }
  }

  void syncsNothing() {
    idleSyncs++;
  }

  void forces(long lines, long dirty) {
    cleanLines += lines - dirty;
    if (dirty == 0) {
      idleForces++;
    }
  }

  /** Counts the moments at which something became durable. */
  long interval() {
    return interval;
  }

  public void requireAlive() {
    Crash fatal = crash;
    if (fatal != null) {
      throw fatal;
    }
    if (remains != null) {
      throw new IllegalStateException("the simulated medium is closed");
    }
  }

  void requireChangeable(String operation, String name) {
    if (readOnly) {
      throw ReadOnlyException.heap(
          String.format(
              Locale.ROOT, "cannot %s %s/%s: open for reading only", operation, location(), name));
    }
  }

  MemorySegment allocate(long bytes) {
    return memory.allocate(bytes, Page.SIZE);
  }

  void opened(PrivateRegion region) {
    regions.add(region);
  }

  void closed(PrivateRegion region) {
    regions.remove(region);
  }

  private void release() {
    regions.forEach(PrivateRegion::discard);
    regions.clear();
    files.clear();
    free(memory);
  }

  static void free(Arena arena) {
    try {
      if (arena.scope().isAlive()) {
        arena.close();
      }
    } catch (IllegalStateException e) {
      // A thread of the dead process is in the middle of a checksum. The memory is lost.
    }
  }

  private FileContent existing(String operation, String name) {
    Integer file = directory.find(name);
    FileContent content = file == null ? null : files.get(file);
    if (content == null) {
      throw new MediumException(
          "cannot " + operation + " " + name + " in a simulation: it does not exist", null);
    }
    return content;
  }
}
