package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** This library's store behind a transactional cache of a tenth of the records. */
public final class BankEverheapBinding implements Binding {
  /** Makes the binding. */
  public BankEverheapBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = InfinispanStores.tenth(opening);
    InfinispanStores.makeTransactional(configuration, opening);
    InfinispanStores.addEverheap(configuration, opening);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
