package io.everheap.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.heap.OpenHeap;
import io.everheap.report.CollectReport;
import io.everheap.support.tier.Campaign;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random graphs that change between any two steps of a collection: nothing that is in use is freed,
 * and all else is, by the next one at the latest.
 */
@Campaign
class CollectGraphTest {
  @Property(tries = 60)
  void aGraphThatChangesMeanwhile(@ForAll long seed) {
    try (Heap heap = CollectHeaps.open()) {
      GraphWork work = new GraphWork(heap, seed);
      for (int i = 0; i < 60; i++) {
        work.step();
      }
      for (int run = 0; run < 3; run++) {
        CollectReport report = CollectHeaps.slow(heap).collect((phase, done) -> work.step());
        assertThat(report.complete()).isTrue();
        assertThat(report.leftAlone()).isEmpty();
        work.check();
        sound(heap);
      }
      CollectReport last = heap.collect();
      assertThat(last.liveObjects()).isEqualTo(work.reachable().size());
      work.check();
      OpenHeap.engine(heap).drainHousekeeping();
      sound(heap);
      assertThat(heap.verify().unreachable()).isZero();
    }
  }

  /** The classic mistake: a reference moves from what is not looked at yet to what was. */
  @Property(tries = 10)
  void thousandsOfMovesWhileItMarks(@ForAll long seed) {
    try (Heap heap = CollectHeaps.open()) {
      GraphWork work = new GraphWork(heap, seed);
      for (int i = 0; i < 100; i++) {
        work.step();
      }
      AtomicInteger steps = new AtomicInteger();
      CollectReport report =
          CollectHeaps.slow(heap)
              .collect(
                  (phase, done) -> {
                    for (int i = 0; i < 10 && steps.incrementAndGet() <= 3000; i++) {
                      work.step();
                    }
                  });
      assertThat(report.complete()).isTrue();
      work.check();
      sound(heap);
    }
  }

  private static void sound(Heap heap) {
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().notChecked()).isEmpty();
    assertThat(heap.verify().dangling()).isEmpty();
  }
}
