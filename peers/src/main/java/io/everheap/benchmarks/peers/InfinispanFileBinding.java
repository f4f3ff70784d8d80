package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** Infinispan's SingleFileStore: all keys in memory, values in one file. */
public final class InfinispanFileBinding implements Binding {
  /** Makes the binding. */
  public InfinispanFileBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    InfinispanStores.addFile(configuration);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
