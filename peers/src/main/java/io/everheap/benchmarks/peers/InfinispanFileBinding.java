package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.file.SingleFileStoreConfigurationBuilder;

/** Infinispan's SingleFileStore: all keys in memory, values in one file. */
public final class InfinispanFileBinding implements Binding {
  /** Makes the binding. */
  public InfinispanFileBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration
        .persistence()
        .addStore(SingleFileStoreConfigurationBuilder.class)
        .segmented(false)
        .purgeOnStartup(false)
        .location("data");
    return new InfinispanCache(opening.directory(), configuration);
  }
}
