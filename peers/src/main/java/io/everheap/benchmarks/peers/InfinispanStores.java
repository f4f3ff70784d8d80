package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Binding.Opening;
import io.everheap.benchmarks.store.Mode;
import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import io.everheap.infinispan.configuration.StoreDurability;
import java.time.Duration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.file.SingleFileStoreConfigurationBuilder;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;
import org.infinispan.transaction.LockingMode;
import org.infinispan.transaction.TransactionMode;
import org.infinispan.transaction.lookup.EmbeddedTransactionManagerLookup;

/** Configurations of caches that differ in their store alone. Stateless. */
final class InfinispanStores {
  /** A cache holds one of so many records in memory. */
  private static final int RECORDS_FOR_EACH_CACHED = 10;

  private InfinispanStores() {}

  /** A cache of a tenth of the records. */
  static ConfigurationBuilder tenth(Opening opening) {
    ConfigurationBuilder configuration = new ConfigurationBuilder();
    configuration.memory().maxCount(Math.max(1, opening.records() / RECORDS_FOR_EACH_CACHED));
    return configuration;
  }

  private static boolean syncs(Opening opening) {
    return !opening.bulk() && opening.mode() == Mode.POWER;
  }

  /** Writes of several entries are transactions, with locks from the first access on. */
  static void makeTransactional(ConfigurationBuilder configuration, Opening opening) {
    if (!opening.bulk()) {
      configuration
          .transaction()
          .transactionMode(TransactionMode.TRANSACTIONAL)
          .lockingMode(LockingMode.PESSIMISTIC)
          .transactionManagerLookup(new EmbeddedTransactionManagerLookup());
    }
  }

  static void addEverheap(ConfigurationBuilder configuration, Opening opening) {
    configuration
        .persistence()
        .addStore(EverheapStoreConfigurationBuilder.class)
        .path("heap")
        .durability(syncs(opening) ? StoreDurability.SYNC : StoreDurability.ASYNC)
        .syncInterval(Duration.ofMillis(10));
  }

  static void addFile(ConfigurationBuilder configuration) {
    configuration
        .persistence()
        .addStore(SingleFileStoreConfigurationBuilder.class)
        .segmented(false)
        .purgeOnStartup(false)
        .location("data");
  }

  static void addSoft(ConfigurationBuilder configuration, Opening opening) {
    configuration
        .persistence()
        .addSoftIndexFileStore()
        .dataLocation("data")
        .indexLocation("index")
        .syncWrites(syncs(opening))
        .segmented(false)
        .purgeOnStartup(false);
  }

  /** Its writes are never synced: it has no setting for that. */
  static void addRocksDb(ConfigurationBuilder configuration) {
    configuration
        .persistence()
        .addStore(RocksDBStoreConfigurationBuilder.class)
        .location("data")
        .expiredLocation("expired");
  }
}
