package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** RocksDB's store behind a cache of a tenth of the records. */
public final class CachedRocksDbBinding implements Binding {
  /** Makes the binding. */
  public CachedRocksDbBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = InfinispanStores.tenth(opening);
    InfinispanStores.addRocksDb(configuration);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
