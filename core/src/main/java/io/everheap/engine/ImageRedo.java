package io.everheap.engine;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntrySink;
import io.everheap.error.CorruptException;
import io.everheap.memory.MediumFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Applies a log to a home file that no process has open, through a cache of pages. Used by one
 * thread.
 */
final class ImageRedo implements EntrySink {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final int MOST_PAGES = 16_384;
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MediumFile home;
  private final Map<Long, ByteBuffer> pages = new LinkedHashMap<>(64, 0.75f, true);
  private long highest;
  private long size = -1;
  private long lastNumber = -1;
  private ByteBuffer last = ByteBuffer.allocate(0);

  ImageRedo(MediumFile home) {
    this.home = home;
  }

  /** A sink that only finds the {@linkplain #highest highest} capacity that the log sets. */
  EntrySink measure() {
    return new EntrySink() {
      @Override
      public void run(long address, MemorySegment source, long offset, int words) {
        long at = HomeLayout.CAPACITY_ADDRESS - address;
        if (at >= 0 && at < 8L * words) {
          highest = Math.max(highest, source.get(LONG, offset + at));
        }
      }

      @Override
      public void fill(long address, long stride, long times, long value) {}
    };
  }

  /** The highest capacity that was measured; at most what a heap can have. */
  long highest() {
    if (highest < 0 || highest > HomeLayout.MAX_CAPACITY) {
      throw CorruptException.log(home.name(), 0, "the log sets a capacity of " + highest);
    }
    return highest;
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    for (int i = 0; i < words; i++) {
      put(address + 8L * i, source.get(LONG, offset + 8L * i));
    }
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    for (long i = 0; i < times; i++) {
      put(address + i * stride, value);
    }
  }

  private void put(long address, long value) {
    if (size < 0) {
      size = home.size();
    }
    if (address < HomeLayout.CATALOG_ADDRESS || address > size - 8) {
      throw CorruptException.log(
          home.name(), address, "the log stores to an address that the image does not have");
    }
    page(address / PAGE).putLong((int) (address % PAGE), value);
  }

  private ByteBuffer page(long number) {
    if (number == lastNumber) {
      return last;
    }
    ByteBuffer found = pages.get(number);
    if (found == null) {
      if (pages.size() >= MOST_PAGES) {
        var eldest = pages.entrySet().iterator();
        Map.Entry<Long, ByteBuffer> least = eldest.next();
        write(least.getKey(), least.getValue());
        eldest.remove();
      }
      found = ByteBuffer.allocate(PAGE).order(ByteOrder.LITTLE_ENDIAN);
      home.read(found, number * PAGE);
      pages.put(number, found);
    }
    lastNumber = number;
    last = found;
    return found;
  }

  private void write(long number, ByteBuffer page) {
    home.write(page.clear(), number * PAGE);
  }

  /** The capacity of the image as it is now. */
  long capacity() {
    return page(HomeLayout.CAPACITY_ADDRESS / PAGE)
        .getLong((int) (HomeLayout.CAPACITY_ADDRESS % PAGE));
  }

  /** Writes the pages that changed. */
  void flush() {
    pages.forEach(this::write);
  }
}
