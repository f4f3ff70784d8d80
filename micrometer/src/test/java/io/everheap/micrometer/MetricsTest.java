package io.everheap.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.journal.Journal;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters of a heap and a journal. */
class MetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir private Path directory;

  @Test
  void aHeapHasMetersWithItsTag() {
    Heap heap = Heap.open(directory.resolve("heap"));
    var map = heap.map("numbers", Long.class, Long.class);
    for (long i = 0; i < 10; i++) {
      map.put(i, i);
    }
    heap.checkpoint();
    new HeapMetrics(heap, "shop", Tags.of("region", "north")).bindTo(registry);

    assertThat(registry.get("everheap.commits").tags("heap", "shop", "region", "north"))
        .extracting(search -> search.functionCounter().count())
        .isEqualTo((double) heap.stats().commits());
    assertThat(count("everheap.checkpoints")).isGreaterThanOrEqualTo(1);
    assertThat(count("everheap.log.appended")).isPositive();
    assertThat(gauge("everheap.used")).isPositive().isLessThan(gauge("everheap.capacity"));
    assertThat(gauge("everheap.open")).isEqualTo(1);
    double commits = count("everheap.commits");

    heap.close();
    assertThat(gauge("everheap.open")).isZero();
    assertThat(count("everheap.commits")).isEqualTo(commits);
    assertThat(gauge("everheap.used")).isPositive();
  }

  @Test
  void twoHeapsAreTwoSeries() {
    try (Heap first = Heap.open(directory.resolve("first"));
        Heap second = Heap.open(directory.resolve("second"))) {
      new HeapMetrics(first).bindTo(registry);
      new HeapMetrics(second).bindTo(registry);
      assertThat(registry.get("everheap.capacity").gauges()).hasSize(2);
    }
  }

  @Test
  void aJournalHasMeters() {
    try (Journal journal = Journal.open(directory.resolve("journal"))) {
      journal.append("a".getBytes(UTF_8));
      journal.append("b".getBytes(UTF_8));
      new JournalMetrics(journal).bindTo(registry);
      assertThat(count("everheap.journal.appended")).isEqualTo((double) journal.nextSequence());
      assertThat(gauge("everheap.journal.records")).isEqualTo(2);
      assertThat(gauge("everheap.journal.undurable")).isZero();
      assertThat(gauge("everheap.journal.segments")).isPositive();
    }
  }

  @Test
  void eachMeterHasADescription() {
    try (Heap heap = Heap.inMemory();
        Journal journal = Journal.open(directory.resolve("journal"))) {
      new HeapMetrics(heap).bindTo(registry);
      new JournalMetrics(journal).bindTo(registry);
      assertThat(registry.getMeters())
          .hasSizeGreaterThan(20)
          .allMatch(meter -> meter.getId().getDescription() != null)
          .extracting(Meter::getId)
          .allMatch(id -> id.getName().startsWith("everheap."));
    }
  }

  private double count(String name) {
    return registry.get(name).functionCounter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
