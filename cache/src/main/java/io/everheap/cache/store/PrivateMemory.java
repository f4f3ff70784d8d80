package io.everheap.cache.store;

import io.everheap.memory.Closing;
import io.everheap.memory.Region;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Memory outside of the Java heap that no file has, lent out in powers of two: what was decrypted,
 * and what is to be encrypted. Some of what was given back is kept. Thread-safe.
 */
final class PrivateMemory implements AutoCloseable {
  private static final int LEAST_BITS = 8;
  private static final long MOST_IDLE = 32 << 20; // bytes
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  /** What was given back, by the bits of its size. */
  private final List<Queue<Region>> idle =
      Stream.<Queue<Region>>generate(ConcurrentLinkedQueue::new).limit(Integer.SIZE + 1).toList();

  private final AtomicLong idleBytes = new AtomicLong();
  private final Set<Region> all = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Lends memory of at least so many bytes, with whatever is in it. */
  Region borrow(long length) {
    if (closed) {
      throw new IllegalStateException("the cache is closed");
    }
    int bits = bits(length);
    Region region = idle.get(bits).poll();
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
      idle.get(bits(region.size())).add(region);
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
