package io.everheap.infinispan;

import com.sun.management.OperatingSystemMXBean;
import io.everheap.Heap;
import java.lang.management.ManagementFactory;

/**
 * Whether a heap fits into the machine's memory, so that reading it waits for no disk. Half of the
 * memory counts, which leaves room for the Java heap.
 */
final class ResidentMemory {
  private final Heap heap;
  private final long most;
  private volatile boolean fits = true;

  ResidentMemory(Heap heap) {
    this.heap = heap;
    this.most =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize() / 2;
    look();
  }

  boolean fits() {
    return fits;
  }

  /** Compares again. */
  void look() {
    fits = heap.stats().capacity() <= most;
  }
}
