package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.store.ShardedStore;
import io.everheap.store.ShardedStoreBuilder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Opens stores on simulated media, with heaps like those of {@link SimulatedHeaps}. */
public final class SimulatedStores {
  private SimulatedStores() {}

  /**
   * Opens a store, or makes it.
   *
   * @param shards their number, if it is made
   */
  public static ShardedStore open(Medium medium, int shards, Durability durability) {
    return open(medium, shards, durability, null);
  }

  /** The same, with the key of an encrypted store, or null. */
  public static ShardedStore open(
      Medium medium, int shards, Durability durability, @Nullable KeyProvider key) {
    ShardedStoreBuilder builder =
        ShardedStore.builder(Path.of(medium.location()))
            .shards(shards)
            .durability(durability)
            .heaps(heap -> HeapSettings.options(heap, SimulatedHeaps.options(durability)));
    if (key != null) {
      builder.encrypt(key);
    }
    return MediumSetting.withoutThreads(MediumSetting.medium(builder, medium)).open();
  }

  /** Options of its heaps. */
  public static EngineOptions options(Durability durability) {
    return SimulatedHeaps.options(durability);
  }
}
