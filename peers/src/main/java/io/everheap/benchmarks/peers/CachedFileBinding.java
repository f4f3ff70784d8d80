package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** SingleFileStore behind a cache of a tenth of the records. */
public final class CachedFileBinding implements Binding {
  /** Makes the binding. */
  public CachedFileBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = InfinispanStores.tenth(opening);
    InfinispanStores.addFile(configuration);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
