package io.everheap.micrometer;

import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.stability.Stable;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The meters {@code everheap.*} of an open heap, from {@link Heap#stats()}, which transactions do
 * not wait for. All have the tag {@code heap}. When the heap is closed or stopped, {@code
 * everheap.open} is 0 and the others keep their last values. Thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class HeapMetrics implements MeterBinder {
  private final Heap heap;
  private final Tags tags;

  /**
   * Meters with the heap's directory as the tag {@code heap}.
   *
   * @param heap open
   */
  public HeapMetrics(Heap heap) {
    this(heap, heap.stats().location(), Tags.empty());
  }

  /**
   * Meters with a name and further tags.
   *
   * @param heap open
   * @param name value of the tag {@code heap}, different for each heap of a registry
   * @param tags further ones
   */
  public HeapMetrics(Heap heap, String name, Iterable<Tag> tags) {
    this.heap = Objects.requireNonNull(heap, "heap");
    this.tags = Tags.of(tags).and("heap", name);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters<HeapStats> m = new Meters<>(registry, heap, new Sampled<>(heap::stats), tags);
    Gauge.builder("everheap.open", heap, h -> h.isOpen() ? 1 : 0)
        .tags(tags)
        .description("1 while the heap can be used, 0 when it is closed or stopped")
        .register(registry);
    transactions(m);
    log(m);
    sizes(m);
    m.gauge(
        "everheap.recovery.duration",
        "seconds",
        "From the start of opening until reads were served",
        s -> s.recovery().duration().toNanos() / (double) TimeUnit.SECONDS.toNanos(1));
    m.gauge(
        "everheap.recovery.transactions",
        null,
        "Transactions that the opening found in the log",
        s -> s.recovery().transactions());
  }

  private static void transactions(Meters<HeapStats> m) {
    m.counter(
        "everheap.commits",
        null,
        "Transactions that stored something and committed",
        HeapStats::commits);
    m.counter("everheap.aborts", null, "Transactions that were rolled back", HeapStats::aborts);
    m.counter("everheap.checkpoints", null, "Checkpoints completed", HeapStats::checkpoints);
    m.counter("everheap.growths", null, "Growths of the home image", HeapStats::growths);
  }

  private static void log(Meters<HeapStats> m) {
    m.counter(
        "everheap.log.appended",
        BaseUnits.BYTES,
        "Bytes appended to the log since the heap was created",
        HeapStats::appendedLsn);
    m.gauge(
        "everheap.log.undurable",
        BaseUnits.BYTES,
        "The end of the log that a power loss would take",
        s -> Math.max(0, s.appendedLsn() - s.durableLsn()));
    m.gauge(
        "everheap.log.replay",
        BaseUnits.BYTES,
        "What an opening after a crash would read",
        s -> Math.max(0, s.appendedLsn() - s.checkpointLsn()));
    m.gauge("everheap.log.used", BaseUnits.BYTES, "Segments in use", HeapStats::logUsed);
    m.gauge("everheap.log.size", BaseUnits.BYTES, "Target size of the log", HeapStats::logSize);
  }

  private static void sizes(Meters<HeapStats> m) {
    m.gauge("everheap.capacity", BaseUnits.BYTES, "Size of the home image", HeapStats::capacity);
    m.gauge(
        "everheap.capacity.max",
        BaseUnits.BYTES,
        "Size that the home image may grow to",
        HeapStats::maxSize);
    m.gauge("everheap.used", BaseUnits.BYTES, "Allocated blocks", HeapStats::usedBytes);
    m.gauge("everheap.blocks", null, "Number of allocated blocks", HeapStats::blocks);
    m.gauge(
        "everheap.dirty",
        BaseUnits.BYTES,
        "Pages that the next checkpoint writes",
        HeapStats::dirtyBytes);
    m.gauge(
        "everheap.private",
        BaseUnits.BYTES,
        "Memory for pages that were changed since their extent was mapped",
        HeapStats::privateBytes);
    m.gauge(
        "everheap.pending",
        BaseUnits.BYTES,
        "Pages that the log of a crash changes and that are not up to date",
        HeapStats::pendingBytes);
  }
}
