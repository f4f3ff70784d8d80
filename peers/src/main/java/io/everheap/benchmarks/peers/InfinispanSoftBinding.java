package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** Infinispan's SoftIndexFileStore: a log of files and an index, written through or synced. */
public final class InfinispanSoftBinding implements Binding {
  /** Makes the binding. */
  public InfinispanSoftBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    InfinispanStores.addSoft(configuration, opening);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
