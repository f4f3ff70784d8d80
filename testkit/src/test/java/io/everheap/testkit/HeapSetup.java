package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * How the heaps of a crash test are opened.
 *
 * @param background whether threads work in the background
 */
record HeapSetup(Durability durability, boolean background) {
  /** Without threads in the background, and so the same each time. */
  HeapSetup(boolean sync) {
    this(sync ? Durability.SYNC : Durability.async(Duration.ofMinutes(30)), false);
  }

  boolean sync() {
    return durability instanceof Durability.Sync;
  }

  Heap open(SimulatedMedium medium) {
    return new SimulatedHeaps(durability, UnaryOperator.identity(), background).open(medium);
  }

  void verify(Heap heap) {
    assertThat(heap.verify().problems()).as("problems that verify finds").isEmpty();
  }
}
