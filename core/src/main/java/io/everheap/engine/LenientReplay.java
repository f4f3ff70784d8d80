package io.everheap.engine;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntrySink;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Applies the entries of a damaged heap's log to its home image, and ignores those that lie outside
 * of it; or, without an image, only measures how far they reach. Used by one thread.
 */
final class LenientReplay implements EntrySink {
  private final @Nullable Home home;
  private final long limit;
  private long end;

  LenientReplay(@Nullable Home home, long limit) {
    this.home = home;
    this.limit = limit;
  }

  /** The end of the highest changed range. */
  long end() {
    return end;
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    long bytes = 8L * words;
    if (!isInside(address, bytes)) {
      return;
    }
    end = Math.max(end, address + bytes);
    Home target = home;
    while (target != null && bytes > 0) {
      long left = (1L << target.extentShift()) - target.offset(address);
      long n = Math.min(bytes, left);
      target.mapped(address).copyFrom(target.offset(address), source, offset, n);
      target.markDirty(address, n);
      address += n;
      offset += n;
      bytes -= n;
    }
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    if (stride > HomeLayout.CHUNK_SIZE / times || !isInside(address, stride * (times - 1) + 8)) {
      return;
    }
    end = Math.max(end, address + stride * (times - 1) + 8);
    Home target = home;
    for (long i = 0; target != null && i < times; i++) {
      target.putLong(address + i * stride, value);
      target.markDirty(address + i * stride, 8);
    }
  }

  private boolean isInside(long address, long bytes) {
    return address >= HomeLayout.CATALOG_ADDRESS && bytes <= limit && address <= limit - bytes;
  }
}
