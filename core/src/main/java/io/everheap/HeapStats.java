package io.everheap;

import io.everheap.engine.Engine;
import io.everheap.engine.RecoveryReport;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.AllocatorStats;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.LogArchiver;
import io.everheap.memory.DurableWrite;
import io.everheap.stability.Stable;
import io.everheap.structure.common.OptimisticReads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Sizes and counts of a heap at one moment. Sizes are bytes; counts are since it was opened.
 *
 * @param location directory of the heap
 * @param medium "file", "dax" or "memory"
 * @param id of the heap
 * @param formatVersion of what is on the medium
 * @param encryptionVersion of its encrypted files: 0 if it is not encrypted, 1 if an earlier build
 *     made it ({@link HeapKeys#upgrade}), else 2
 * @param created when the heap was created
 * @param durableWrite how the log is made durable on a file
 * @param capacity that the home image has now
 * @param maxSize that it may grow to
 * @param usedBytes in allocated blocks, headers and rounding included
 * @param blocks allocated
 * @param logUsed by the segments in use
 * @param logSize target size of the log
 * @param epoch of the log: one more with each opening for writing
 * @param checkpointLsn the position in the log where a replay would start
 * @param appendedLsn the position behind the newest commit
 * @param durableLsn the position below which everything survives power loss
 * @param archivedLsn the position up to which the log is in the archive; -1 without {@link
 *     HeapBuilder#archive}
 * @param commits transactions that stored something and committed
 * @param aborts outermost transactions that were rolled back
 * @param checkpoints completed
 * @param growths of the home image
 * @param dirtyBytes of pages that the next checkpoint will write
 * @param privateBytes of memory for pages that were changed since their extent was mapped; 0 on
 *     media that map the home image shared
 * @param pendingBytes of pages that the log of a crash changes and that were not used since: each
 *     is brought up to date when it is first used, or in the background
 * @param recovery result of opening the heap
 * @param sizeClasses those size classes of the allocator that are in use
 * @since 0.9
 */
@Stable
public record HeapStats(
    String location,
    String medium,
    UUID id,
    int formatVersion,
    int encryptionVersion,
    Instant created,
    String durableWrite,
    long capacity,
    long maxSize,
    long usedBytes,
    long blocks,
    long logUsed,
    long logSize,
    long epoch,
    long checkpointLsn,
    long appendedLsn,
    long durableLsn,
    long archivedLsn,
    long commits,
    long aborts,
    long checkpoints,
    long growths,
    long dirtyBytes,
    long privateBytes,
    long pendingBytes,
    Recovery recovery,
    List<SizeClass> sizeClasses) {

  /**
   * The result of opening the heap.
   *
   * @param clean whether the heap had been closed
   * @param transactions replayed
   * @param bytes of log replayed
   * @param tornBytes of an unfinished record at the end of the log, dropped
   * @param duration from the start of opening until reads were served
   */
  public record Recovery(
      boolean clean, long transactions, long bytes, long tornBytes, Duration duration) {}

  /**
   * Blocks of one size.
   *
   * @param name "64" for slots of 64 bytes, "pages" for runs of pages, "chunks" for larger blocks
   * @param blocks allocated
   * @param usedBytes in these blocks, headers and rounding included
   * @param reservedBytes of chunks given to this size
   */
  public record SizeClass(String name, long blocks, long usedBytes, long reservedBytes) {}

  static HeapStats of(Engine engine) {
    HeapStats[] result = new HeapStats[1];
    if (engine.transactions().tryQuiesced(() -> result[0] = of(engine, engine.allocator()))) {
      return result[0];
    }
    return OptimisticReads.betweenCommits(
        engine.context(), () -> of(engine, engine.blocksOf(engine.memory())));
  }

  private static HeapStats of(Engine engine, Allocator blocks) {
    Superblock s = engine.superblock();
    RecoveryReport r = engine.recovery();
    AllocatorStats a = blocks.stats();
    long pages = engine.home().privatePages();
    return new HeapStats(
        engine.location(),
        engine.medium().name(),
        s.uuid(),
        Superblock.FORMAT_VERSION,
        engine.encryptionVersion(),
        Instant.ofEpochMilli(s.createdMillis()),
        DurableWrite.of(s.durableWrite()).name(),
        engine.memory().getLong(HomeLayout.CAPACITY_ADDRESS),
        engine.options().maxCapacity(),
        a.bytesUsed(),
        a.blocks(),
        engine.log().used(),
        engine.log().limit(),
        s.epoch(),
        s.checkpointLsn(),
        engine.log().appended(),
        engine.log().durable(),
        LogArchiver.reach(engine.archiver()),
        engine.transactions().commits(),
        engine.transactions().aborts(),
        engine.checkpoints(),
        engine.growths(),
        engine.home().dirty().count() * HomeLayout.PAGE_SIZE,
        engine.medium().byteAddressable() ? 0 : pages * HomeLayout.PAGE_SIZE,
        engine.home().redo().pendingPages() * HomeLayout.PAGE_SIZE,
        new Recovery(
            r.clean(), r.transactions(), r.bytes(), r.tornBytes(), Duration.ofNanos(r.nanos())),
        sizeClasses(a));
  }

  private static List<SizeClass> sizeClasses(AllocatorStats a) {
    List<SizeClass> classes = new ArrayList<>();
    for (AllocatorStats.SizeClass c : a.sizeClasses()) {
      if (c.chunks() > 0) {
        String name = Integer.toString(c.blockBytes());
        classes.add(new SizeClass(name, c.blocks(), c.bytesUsed(), c.bytesReserved()));
      }
    }
    long chunk = HomeLayout.CHUNK_SIZE;
    if (a.pageChunks() > 0) {
      long reserved = a.pageChunks() * chunk;
      classes.add(new SizeClass("pages", a.pageBlocks(), a.pageBytesUsed(), reserved));
    }
    if (a.largeChunks() > 0) {
      long bytes = a.largeChunks() * chunk;
      classes.add(new SizeClass("chunks", a.largeBlocks(), bytes, bytes));
    }
    return List.copyOf(classes);
  }
}
