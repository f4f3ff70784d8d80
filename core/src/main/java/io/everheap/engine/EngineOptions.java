package io.everheap.engine;

import io.everheap.engine.home.HomeLayout;
import io.everheap.memory.Medium;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an engine. Sizes are in bytes.
 *
 * @param maxCapacity maximum size of the home image
 * @param extentShift size of an extent as a power of two; for a new heap
 * @param logSize target size of the log of a heap of up to twice this size; recovery time is
 *     bounded by it
 * @param maxLogSize the target size for larger heaps is half of theirs, up to this
 * @param segmentSize size of a log segment, a power of two; for a new heap
 * @param ringSize size of the ring, a power of two; for a new heap
 * @param maxTransaction maximum size of one transaction in the log
 * @param memoryBudget maximum size of private pages, on media that map the home image privately, or
 *     {@link #SHARED_MEMORY} to share the memory of all heaps of the process ({@link
 *     ProcessMemory}); an image of more than twice this size is assumed to be larger than memory
 * @param lockTimeoutNanos how long a writer waits for its turn
 * @param sync whether commits wait until they are durable, unless a transaction sets it otherwise
 * @param asyncNanos interval of background syncs; 0 if commits are synchronous
 * @param automatic whether checkpoints and frees run in background threads; if not, tests run them
 * @param checkCodecs whether every value is decoded after it is encoded, not only the first ones
 * @param archive opens the medium to which the log of this {@linkplain
 *     io.everheap.engine.home.Superblock#history history} is archived; null for no archive
 * @param replica whether only what the log of another heap says is stored
 */
public record EngineOptions(
    long maxCapacity,
    int extentShift,
    long logSize,
    long maxLogSize,
    int segmentSize,
    int ringSize,
    long maxTransaction,
    long memoryBudget,
    long lockTimeoutNanos,
    boolean sync,
    long asyncNanos,
    boolean automatic,
    boolean checkCodecs,
    @Nullable Function<String, Medium> archive,
    boolean replica) {

  /** Creates options with a log of one size, which do not check every value. */
  public EngineOptions(
      long maxCapacity,
      int extentShift,
      long logSize,
      int segmentSize,
      int ringSize,
      long maxTransaction,
      long memoryBudget,
      long lockTimeoutNanos,
      boolean sync,
      long asyncNanos,
      boolean automatic) {
    this(
        maxCapacity,
        extentShift,
        logSize,
        logSize,
        segmentSize,
        ringSize,
        maxTransaction,
        memoryBudget,
        lockTimeoutNanos,
        sync,
        asyncNanos,
        automatic,
        false,
        null,
        false);
  }

  /** These options with an archive of the log. */
  public EngineOptions withArchive(Function<String, Medium> newArchive) {
    return with(newArchive, replica);
  }

  /** These options for a replica. */
  public EngineOptions ofReplica() {
    return with(archive, true);
  }

  private EngineOptions with(@Nullable Function<String, Medium> newArchive, boolean isReplica) {
    return new EngineOptions(
        maxCapacity,
        extentShift,
        logSize,
        maxLogSize,
        segmentSize,
        ringSize,
        maxTransaction,
        memoryBudget,
        lockTimeoutNanos,
        sync,
        asyncNanos,
        automatic,
        checkCodecs,
        newArchive,
        isReplica);
  }

  /**
   * The minimum of {@link #maxCapacity}: a heap of this size can have a root of each kind of
   * structure with some contents, which one of the initial size cannot.
   */
  public static final long MIN_CAPACITY = 2L << 20;

  /** The size of the ring of a new heap, unless another one is set. */
  static final int RING = 8 << 20;

  /** A {@link #memoryBudget} that the heaps of the process share. */
  public static final long SHARED_MEMORY = 0;

  /** The defaults on this machine. */
  public static EngineOptions defaults() {
    long memory = MachineMemory.total();
    int extentShift =
        Math.clamp(
            63 - Long.numberOfLeadingZeros(memory / 4),
            HomeLayout.MIN_EXTENT_SHIFT,
            HomeLayout.MAX_EXTENT_SHIFT);
    return new EngineOptions(
        1L << 40,
        extentShift,
        64L << 20,
        512L << 20,
        4 << 20,
        RING,
        2L << 30,
        SHARED_MEMORY,
        300_000_000_000L,
        true,
        0,
        true,
        false,
        null,
        false);
  }

  /** Checks the settings as far as this needs no medium. */
  public EngineOptions {
    requireAtLeast("maxSize", MIN_CAPACITY, maxCapacity);
    require(
        maxCapacity <= HomeLayout.MAX_CAPACITY,
        "maxSize is at most " + HomeLayout.MAX_CAPACITY + " bytes, not " + maxCapacity);
    require(
        extentShift >= HomeLayout.MIN_EXTENT_SHIFT && extentShift <= HomeLayout.MAX_EXTENT_SHIFT,
        "an extent has 1 MiB to 1 GiB");
    require(segmentSize >= 1 << 16 && Integer.bitCount(segmentSize) == 1, "segment size");
    require(ringSize >= 1 << 16 && Integer.bitCount(ringSize) == 1, "ring size");
    requireAtLeast("logSize", 4L * segmentSize, logSize);
    requireAtLeast("maxLogSize", logSize, maxLogSize);
    requireAtLeast("maxTransaction", 4096, maxTransaction);
    if (memoryBudget != SHARED_MEMORY) {
      requireMemory(memoryBudget);
    }
    require(lockTimeoutNanos > 0, "lockTimeout is positive");
    require(asyncNanos >= 0, "the interval is not negative");
  }

  /**
   * Checks the memory that is given to one heap.
   *
   * @throws IllegalArgumentException if it is too little
   */
  public static void requireMemory(long bytes) {
    requireAtLeast("memoryBudget", 1 << 20, bytes);
  }

  private static void requireAtLeast(String setting, long min, long bytes) {
    require(bytes >= min, setting + " is at least " + min + " bytes, not " + bytes);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException(what);
    }
  }
}
