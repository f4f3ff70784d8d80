package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** How the heaps of a crash test are opened. */
record HeapSetup(boolean sync) {
  Durability durability() {
    return sync ? Durability.SYNC : Durability.async(Duration.ofMinutes(30));
  }

  Heap open(SimulatedMedium medium) {
    return new SimulatedHeaps(durability(), UnaryOperator.identity()).open(medium);
  }

  void verify(Heap heap) {
    assertThat(heap.verify().problems()).as("problems that verify finds").isEmpty();
  }
}
