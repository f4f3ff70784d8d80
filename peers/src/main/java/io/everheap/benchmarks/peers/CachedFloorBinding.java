package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** A {@link FloorStore} behind a cache of a tenth of the records: the share of Infinispan. */
public final class CachedFloorBinding implements Binding {
  /** Makes the binding. */
  public CachedFloorBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = InfinispanStores.tenth(opening);
    configuration.persistence().addStore(FloorStoreConfigurationBuilder.class);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
