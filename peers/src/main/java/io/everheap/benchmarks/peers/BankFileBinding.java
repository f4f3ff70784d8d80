package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Store;
import org.infinispan.configuration.cache.ConfigurationBuilder;

/** SingleFileStore behind a transactional cache of a tenth of the records. */
public final class BankFileBinding implements Binding {
  /** Makes the binding. */
  public BankFileBinding() {}

  @Override
  public Store open(Opening opening) {
    ConfigurationBuilder configuration = InfinispanStores.tenth(opening);
    InfinispanStores.makeTransactional(configuration, opening);
    InfinispanStores.addFile(configuration);
    return new InfinispanCache(opening.directory(), configuration);
  }
}
