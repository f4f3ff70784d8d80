package io.everheap.spring.boot;

import io.everheap.Heap;
import io.everheap.HeapStats;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up while the heap can be used; down when it is closed or poisoned. Thread-safe. */
final class HeapHealthIndicator extends AbstractHealthIndicator {
  private final Heap heap;

  HeapHealthIndicator(Heap heap) {
    super("the statistics of the heap cannot be read");
    this.heap = heap;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    if (!heap.isOpen()) {
      health.down().withDetail("heap", heap.toString());
      return;
    }
    HeapStats stats = heap.stats();
    health
        .up()
        .withDetail("heap", stats.location())
        .withDetail("medium", stats.medium())
        .withDetail("used", stats.usedBytes())
        .withDetail("capacity", stats.capacity())
        .withDetail("maxSize", stats.maxSize())
        .withDetail("notDurable", Math.max(0, stats.appendedLsn() - stats.durableLsn()));
  }
}
