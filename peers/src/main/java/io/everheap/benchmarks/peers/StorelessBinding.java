package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** A cache without a store, which holds everything in memory: what Infinispan itself takes. */
public final class StorelessBinding implements Binding {
  /** Makes the binding. */
  public StorelessBinding() {}

  @Override
  public Store open(Opening opening) {
    return new InfinispanCache(opening.directory(), new ConfigurationBuilder());
  }
}
