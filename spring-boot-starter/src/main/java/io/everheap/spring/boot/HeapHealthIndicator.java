package io.everheap.spring.boot;

import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.error.FencedException;
import io.everheap.error.ReadOnlyException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while the heap accepts transactions. Down when it is closed, stopped or damaged; out of
 * service when it is only read here or fenced. Thread-safe.
 */
final class HeapHealthIndicator extends AbstractHealthIndicator {
  private final Heap heap;

  HeapHealthIndicator(Heap heap) {
    super("the statistics of the heap cannot be read");
    this.heap = heap;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    RuntimeException refusal = heap.writeRefusal();
    if (refusal == null) {
      health.up();
    } else if (refusal instanceof ReadOnlyException || refusal instanceof FencedException) {
      health.outOfService().withException(refusal);
    } else {
      health.down(refusal);
    }
    if (!heap.isOpen()) {
      health.withDetail("heap", heap.toString());
      return;
    }
    HeapStats stats = heap.stats();
    health
        .withDetail("heap", stats.location())
        .withDetail("medium", stats.medium())
        .withDetail("used", stats.usedBytes())
        .withDetail("capacity", stats.capacity())
        .withDetail("maxSize", stats.maxSize())
        .withDetail("notDurable", Math.max(0, stats.appendedLsn() - stats.durableLsn()));
  }
}
