package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntrySink;
import io.everheap.error.CorruptHeapException;
import io.everheap.memory.Medium;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Applies the entries of the log to the home image. Every address is checked against the size of
 * the file, which grows before a record can name what it grew by. When private pages take more
 * memory than allowed, they are spilled.
 */
final class Replay implements EntrySink {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Medium medium;
  private final Home home;
  private final long size;
  private final long mostPages;
  private final Runnable spill;
  private long highestCapacity;

  /**
   * A replay into a home image.
   *
   * @param size of the home file
   * @param capacity at the checkpoint; the image's own may be lower already, for pages are written
   *     before the superblock
   * @param memoryBudget most bytes of private pages
   * @param spill called between two transactions when there are more
   */
  Replay(Medium medium, Home home, long size, long capacity, long memoryBudget, Runnable spill) {
    this.medium = medium;
    this.home = home;
    this.size = size;
    this.mostPages = memoryBudget / HomeLayout.PAGE_SIZE;
    this.spill = spill;
    this.highestCapacity = Math.max(capacity, home.getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  /** The highest capacity that the home image had before any of the transactions or after it. */
  long highestCapacity() {
    return highestCapacity;
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    long bytes = 8L * words;
    require(address, bytes);
    if (words == 1) { // most runs of small transactions
      home.putLong(address, source.get(LONG, offset));
      home.markDirty(address, 8);
      return;
    }
    long extent = 1L << home.extentShift();
    while (bytes > 0) {
      long n = Math.min(bytes, extent - home.offset(address));
      home.mapped(address).copyFrom(home.offset(address), source, offset, n);
      home.markDirty(address, n);
      address += n;
      offset += n;
      bytes -= n;
    }
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    long left = HomeLayout.CHUNK_SIZE - (address & (HomeLayout.CHUNK_SIZE - 1));
    if (times <= 0 || stride <= 0 || times - 1 > (left - 8) / stride) {
      throw new CorruptHeapException(
          "The log of "
              + medium.location()
              + " fills "
              + times
              + " words every "
              + stride
              + " bytes at address "
              + address
              + ", beyond the end of a chunk.");
    }
    require(address, stride * (times - 1) + 8);
    for (long i = 0; i < times; i++) {
      home.putLong(address + i * stride, value);
      home.markDirty(address + i * stride, 8);
    }
  }

  @Override
  public void committed(long lsn) {
    highestCapacity = Math.max(highestCapacity, home.getLong(HomeLayout.CAPACITY_ADDRESS));
    if (home.resident().count() > mostPages) {
      spill.run();
    }
  }

  private void require(long address, long bytes) {
    if (address < HomeLayout.CATALOG_ADDRESS || bytes > size || address > size - bytes) {
      throw beyond(address);
    }
    if (home.extent(address + bytes - 1) == null) {
      home.map(address + bytes);
    }
  }

  private CorruptHeapException beyond(long address) {
    return new CorruptHeapException(
        "The log of "
            + medium.location()
            + " changes address "
            + address
            + ", which the home image of "
            + size
            + " bytes does not have.");
  }
}
