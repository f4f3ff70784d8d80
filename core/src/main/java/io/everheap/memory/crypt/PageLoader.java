package io.everheap.memory.crypt;

import io.everheap.memory.MappedFaults;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import io.everheap.memory.SparseMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decrypts the pages of an encrypted file into memory when they are first used. Thread-safe: the
 * monitor of its lane guards a page, so nothing is decrypted over a store.
 */
final class PageLoader implements PendingRegion.Redo {
  private static final int PAGE = SealedLayout.BLOCK;
  private static final int LANES = 16;
  private static final int MANY_PAGES = 256;

  private final SparseMemory memory;
  private final SealedFile file;
  private final Lane[] lanes = new Lane[LANES];
  private final AtomicLong filled = new AtomicLong();
  private volatile Runnable listener = () -> {};

  /** The buffer of a load; guarded by its monitor. */
  private static final class Lane {
    final ByteBuffer page = ByteBuffer.allocate(PAGE);
  }

  private PageLoader(SparseMemory memory, SealedFile file) {
    this.memory = memory;
    this.file = file;
    Arrays.setAll(lanes, i -> new Lane());
  }

  /** A region over one of {@code memory}; it has the contents of the file from a position on. */
  static Region over(Region region, SparseMemory memory, SealedFile file, long position) {
    int pages = Math.toIntExact((region.size() + PAGE - 1) / PAGE);
    long[] pending = new long[(pages + Long.SIZE - 1) / Long.SIZE];
    for (int page = 0; page < pages; page++) {
      pending[page >>> 6] |= 1L << page;
    }
    return new PendingRegion(region, position / PAGE, pending, new PageLoader(memory, file));
  }

  @Override
  public void redo(PendingRegion region, long page) {
    Lane lane = lanes[(int) page & (LANES - 1)];
    long count = 1;
    synchronized (lane) {
      if (region.isPending(page)) {
        int read = file.load(lane.page, page);
        long start = region.start(page);
        int length = (int) Math.min(read, region.size() - start);
        memory.prepare(start);
        fill(region.under(), start, lane.page.array(), length);
        if (length > 0) {
          count = filled.incrementAndGet();
        }
        region.done(page);
      }
    }
    if (count % MANY_PAGES == 0) {
      listener.run();
    }
  }

  /** Stores to each page, so that no later store takes memory that may be missing. */
  private void fill(Region to, long start, byte[] page, int length) {
    try {
      if (length > 0) {
        to.copyFrom(start, page, 0, length);
      } else {
        to.putByte(start, (byte) 0);
      }
      MappedFaults.arrive();
    } catch (InternalError e) {
      if (MappedFaults.isFault(e)) {
        throw memory.full(e);
      }
      throw e;
    }
  }

  @Override
  public void onFilled(Runnable listener) {
    this.listener = listener;
  }

  @Override
  public void redoAll(LongFunction<@Nullable PendingRegion> regions) {
    throw new UnsupportedOperationException("pages are decrypted when they are used");
  }

  @Override
  public long filled() {
    return filled.get();
  }

  /** Does nothing: the owner of the file closes it. */
  @Override
  public void close() {}
}
