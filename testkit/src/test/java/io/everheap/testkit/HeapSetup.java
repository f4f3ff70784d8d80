package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import java.nio.file.Path;
import java.time.Duration;

/** How the heaps of a crash test are opened. */
record HeapSetup(boolean sync) {
  Heap open(SimulatedMedium medium) {
    return Heap.builder(Path.of("simulation"))
        .durability(sync ? Durability.SYNC : Durability.async(Duration.ofMinutes(30)))
        .medium(medium)
        .engineOptions(EngineCrashTest.options(sync))
        .open();
  }

  void verify(Heap heap) {
    assertThat(heap.verify().problems()).as("problems that verify finds").isEmpty();
  }
}
