package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.store.Store;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;

/** An embedded local cache of Infinispan that writes through to a store of its own. */
final class InfinispanCache implements Store {
  private static final String NAME = "records";

  private final EmbeddedCacheManager manager;
  private final Cache<String, byte[]> reads;
  private final Cache<String, byte[]> writes;

  /** Opens a cache whose store is configured already. */
  InfinispanCache(Path directory, ConfigurationBuilder configuration) {
    GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
    global.nonClusteredDefault();
    global.globalState().enable().persistentLocation(directory.toString());
    global.jmx().disable();
    manager = new DefaultCacheManager(global.build());
    manager.defineConfiguration(NAME, configuration.build());
    reads = manager.getCache(NAME);
    writes = reads.getAdvancedCache().withFlags(Flag.IGNORE_RETURN_VALUES);
  }

  @Override
  public byte @Nullable [] get(String key) {
    return reads.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    writes.put(key, value);
  }

  /** One transaction; the cache is transactional. */
  @Override
  public void putAll(List<String> keys, List<byte[]> values) {
    TransactionManager transactions = writes.getAdvancedCache().getTransactionManager();
    try {
      transactions.begin();
      for (int i = 0; i < keys.size(); i++) {
        writes.put(keys.get(i), values.get(i));
      }
      transactions.commit();
    } catch (Exception e) {
      throw new IllegalStateException("a transaction of Infinispan failed", e);
    }
  }

  @Override
  public void close() throws IOException {
    manager.close();
  }
}
