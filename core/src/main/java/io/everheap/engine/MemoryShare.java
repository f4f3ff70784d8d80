package io.everheap.engine;

import io.everheap.engine.home.ImageMemory;

/**
 * The memory that one open heap may use for private pages, as a part of that of the process ({@link
 * ProcessMemory}). Closed when the heap has released its pages.
 *
 * <p>Thread-safe. What the heap uses is stored by whoever asks for the limit; stores in a race are
 * each true at their time.
 */
final class MemoryShare implements ImageMemory, AutoCloseable {
  private static final long MIN_PAGES = 256;
  private static final long RING = EngineOptions.RING;

  private final ProcessMemory process;
  private final long fixed;
  private volatile long size;
  private volatile long used;

  MemoryShare(ProcessMemory process, long fixed, long size) {
    this.process = process;
    this.fixed = fixed;
    this.size = size;
  }

  /** Whether it is a fixed part, which others cannot use. */
  boolean isFixed() {
    return fixed != EngineOptions.SHARED_MEMORY;
  }

  /** The fixed part in bytes. */
  long fixed() {
    return fixed;
  }

  /** What others cannot use of a fixed part: the heap cannot use more than its size either. */
  long fixedPart() {
    return Math.min(fixed, Math.max(size, ProcessMemory.ASSURED));
  }

  /** The size of the home image in bytes. */
  long size() {
    return size;
  }

  /** The bytes in use. */
  long used() {
    return used;
  }

  /** The bytes that the heap may use whatever others use, if the process has them. */
  long assured() {
    return Math.min(ProcessMemory.ASSURED, size);
  }

  void use(long bytes) {
    used = bytes;
  }

  /**
   * Notes what the heap uses.
   *
   * @param pages private pages
   * @param ring bytes of its ring in use
   * @param heapSize bytes of the home image
   * @return the number of pages that may be private
   */
  long pages(long pages, long ring, long heapSize) {
    int page = MachineMemory.page();
    size = heapSize;
    used = pages * page + ring;
    long limit = process.limit(this);
    long most = isFixed() ? limit : Math.max(limit - ring, Math.min(limit, assured()));
    return Math.max(MIN_PAGES, most / page);
  }

  /**
   * Notes that pages are about to become private, if they may.
   *
   * @param pages all private pages of the heap
   * @return whether they may
   */
  boolean claim(long pages) {
    return pages <= MIN_PAGES || process.claim(this, pages * MachineMemory.page());
  }

  /**
   * Whether the images of all heaps that share memory, taken together, are too large for it and for
   * the rings of the other heaps; of a fixed part, this image alone. A small image is not.
   */
  @Override
  public boolean isExceededBy(long capacity) {
    if (isFixed()) {
      return capacity / 2 > fixed;
    }
    size = Math.max(size, capacity);
    return capacity > ProcessMemory.ASSURED
        && process.sizes() / 2 > process.shared() - (process.heaps() - 1) * RING;
  }

  /** Of the shared memory, what corresponds to the size of the image. */
  @Override
  public long forPages(long capacity) {
    if (isFixed()) {
      return fixed;
    }
    double part = (double) capacity / Math.max(capacity, process.sizes());
    return Math.max(ProcessMemory.LEAST, (long) (process.shared() * part));
  }

  /** Exchanges with the heaps of other class loaders what they use. */
  void exchange() {
    process.exchange();
  }

  @Override
  public void close() {
    process.leave(this);
  }
}
