package io.everheap.cache.store;

import io.everheap.memory.Closing;
import io.everheap.memory.Region;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Memory outside of the Java heap that no file has, lent out in powers of two: what was decrypted,
 * and what is to be encrypted. Some of what was given back is kept. Thread-safe.
 */
final class PrivateMemory implements AutoCloseable {
  private static final int LEAST_BITS = 8;
  private static final long MOST_IDLE = 32 << 20; // bytes
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private final Idle[] idle =
      IntStream.rangeClosed(0, Integer.SIZE).mapToObj(_ -> new Idle()).toArray(Idle[]::new);
  private final AtomicLong idleBytes = new AtomicLong();
  private final Set<Region> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** What was given back, of one size. */
  private static final class Idle {
    final ConcurrentLinkedQueue<Region> regions = new ConcurrentLinkedQueue<>();
  }

  /** Lends memory of at least so many bytes, with whatever is in it. */
  Region borrow(long length) {
    if (closed) {
      throw new IllegalStateException("the cache is closed");
    }
    int bits = bits(length);
    Region region = idle[bits].regions.poll();
    if (region != null) {
      idleBytes.addAndGet(-region.size());
      return region;
    }
    Region fresh = Region.allocate(1L << bits);
    all.add(fresh);
    if (closed) {
      free(fresh);
      throw new IllegalStateException("the cache is closed");
    }
    return fresh;
  }

  /** Gives back what was lent. */
  void giveBack(Region region) {
    if (idleBytes.addAndGet(region.size()) <= MOST_IDLE) {
      idle[bits(region.size())].regions.add(region);
    } else {
      idleBytes.addAndGet(-region.size());
      free(region);
    }
  }

  private void free(Region region) {
    if (Closing.tryUnmap(region, PATIENCE_NANOS)) { // else a close of all does it
      all.remove(region);
    }
  }

  private static int bits(long length) {
    return Math.max(LEAST_BITS, Long.SIZE - Long.numberOfLeadingZeros(length - 1));
  }

  /** Frees all of it, also what is lent: accesses throw {@link IllegalStateException}. */
  @Override
  public void close() {
    closed = true;
    all.forEach(this::free);
  }
}
