package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.format.Mix;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.memory.Closing;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.memory.crypt.EntrySealer;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One file of a cache, open and mapped. Stores through {@link #region} outlive the process at once;
 * they are durable after {@link #force}, or after {@link #sync}.
 */
final class CacheFile implements AutoCloseable {
  private static final int ZEROS = 256 << 10;

  /** How long a close waits for a channel that uses the memory. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final Medium medium;
  private final MediumFile file;
  private final Superblock identity;
  private final @Nullable EntrySealer sealer;
  private final Region region;
  private final ByteBuffer block;
  private final long salt;
  private Medium.@Nullable Watch watch;

  /**
   * Maps a file.
   *
   * @param identity its newest superblock
   * @param sealer null if the cache is not encrypted
   */
  CacheFile(Medium medium, MediumFile file, Superblock identity, @Nullable EntrySealer sealer) {
    this.medium = medium;
    this.file = file;
    this.identity = identity;
    this.sealer = sealer;
    this.salt = Mix.mix(identity.cache().getLeastSignificantBits() ^ identity.device());
    this.block = aligned(Superblock.SIZE);
    this.region =
        file.map(
            medium.readOnly() ? Mapping.READ : Mapping.SHARED,
            0,
            start(segmentCount())); // stores behind the last segment would exceed the file
  }

  static ByteBuffer aligned(int size) {
    return ByteBuffer.allocateDirect(size + MediumFile.BLOCK)
        .alignedSlice(MediumFile.BLOCK)
        .slice(0, size);
  }

  /** The memory of the whole file. */
  Region region() {
    return region;
  }

  /** Its superblock, as it was found. */
  Superblock identity() {
    return identity;
  }

  /** Whether it is encrypted. */
  boolean isEncrypted() {
    return sealer != null;
  }

  /** Part of the checksums of what is in the file. */
  long salt() {
    return salt;
  }

  /** Whether a forced range is durable without a sync. */
  boolean byteAddressable() {
    return medium.byteAddressable();
  }

  /** What changes when undurable contents may have been lost. */
  String incarnation() {
    return medium.incarnation();
  }

  /** Where the file is, for messages. */
  String location() {
    return medium.location() + "/" + file.name();
  }

  /** Explains a fault of mapped memory; the exception to throw. */
  EverheapException explain(Throwable fault) {
    return MappedFaults.explain(medium, fault);
  }

  /** Whether a store may have failed because the disk is full. */
  boolean isFull() {
    return medium.isFull();
  }

  /** How many segments it has. */
  int segmentCount() {
    return FileLayout.segmentCount(
        identity.fileSize(), identity.removalBytes(), identity.segmentSize());
  }

  /** Where a segment starts. */
  long start(int segment) {
    return FileLayout.segments(identity.removalBytes()) + segment * identity.segmentSize();
  }

  /** The granules of a segment. */
  int segmentGranules() {
    return (int) (identity.segmentSize() / SegmentLayout.GRANULE);
  }

  /** Writes a superblock durably, in the place of the older one of the two. */
  void write(State state) {
    write(file, block, identity, state, sealer);
  }

  static void write(
      MediumFile file,
      ByteBuffer block,
      Superblock identity,
      State state,
      @Nullable EntrySealer sealer) {
    block.clear();
    new Superblock(
            identity.cache(),
            identity.device(),
            identity.fileSize(),
            identity.segmentSize(),
            identity.removalBytes(),
            identity.hashSeed(),
            state)
        .write(block, sealer);
    file.writeDurably(block, (state.counter() & 1) * Superblock.SIZE);
  }

  /**
   * Fills a segment that was never used with zeros, so that its space is taken.
   *
   * @throws io.everheap.error.DiskFullException if there is no space
   */
  void fill(int segment) {
    fill(file, start(segment), identity.segmentSize());
  }

  /**
   * Reads a byte, so that the first load near it faults for one page: of a hole in the file it
   * would read as much around it as the disk is set to read ahead, megabytes on some. If it cannot
   * be read, the load tells.
   */
  void touch(long offset) {
    if (!medium.byteAddressable()) {
      try {
        file.read(ByteBuffer.allocate(1), offset);
      } catch (MediumException e) {
        return; // maybe because the cache was closed
      }
    }
  }

  /** Makes durable what {@link #fill} wrote, on any medium. */
  void syncWrites() {
    file.sync();
  }

  /** Fills a range with zeros, a part at a time: it may be larger than the memory for buffers. */
  static void fill(MediumFile file, long start, long length) {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS, length));
    for (long at = 0; at < length; at += zeros.capacity()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), length - at));
      file.write(zeros, start + at);
    }
  }

  /** Makes a range durable. */
  void force(long offset, long length) {
    try {
      region.force(offset, length);
    } catch (UncheckedIOException e) {
      throw new MediumException("cannot write back " + location() + ": " + e.getMessage(), e);
    }
  }

  /** Makes a range durable where that costs no more than a fence. */
  void forceDirectly(long offset, long length) {
    if (medium.byteAddressable()) {
      force(offset, length);
    }
  }

  /** Makes everything durable that was stored. */
  void sync() {
    if (!medium.byteAddressable()) {
      file.sync();
    }
  }

  /**
   * Has a thread check about once in a second that the file is still the one with its name, and
   * renew the directory's lock.
   */
  synchronized void watch(Consumer<Throwable> onFailure) {
    watch = medium.watch(() -> {}, onFailure);
  }

  private synchronized void endWatch() {
    Medium.Watch running = watch;
    watch = null;
    if (running != null) {
      running.close();
    }
  }

  @Override
  public void close() {
    new Closing()
        .then(this::endWatch)
        .then(this::unmap)
        .then(file::close)
        .then(medium::close)
        .end();
  }

  /**
   * Waits for checksums that are computed, and for channels that read or write the memory; what
   * does not end leaves it mapped.
   */
  private void unmap() {
    boolean _ = Closing.tryUnmap(region, PATIENCE_NANOS);
  }
}
