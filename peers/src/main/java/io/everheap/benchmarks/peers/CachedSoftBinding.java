package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** SoftIndexFileStore behind a cache of a tenth of the records. */
public final class CachedSoftBinding implements Binding {
  /** Makes the binding. */
  public CachedSoftBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = InfinispanStores.tenth(opening);
    InfinispanStores.addSoft(configuration, opening);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
