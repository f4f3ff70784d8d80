package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.store.ShardedStore;
import java.nio.file.Path;

/** Opens stores on simulated media, with heaps like those of {@link SimulatedHeaps}. */
final class SimulatedStores {
  private SimulatedStores() {}

  /**
   * Opens a store, or makes it.
   *
   * @param shards their number, if it is made
   */
  static ShardedStore open(Medium medium, int shards, Durability durability) {
    return MediumSetting.withoutThreads(
            MediumSetting.medium(
                ShardedStore.builder(Path.of(medium.location()))
                    .shards(shards)
                    .durability(durability)
                    .heaps(heap -> HeapSettings.options(heap, SimulatedHeaps.options(durability))),
                medium))
        .open();
  }
}
