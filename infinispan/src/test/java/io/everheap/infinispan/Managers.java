package io.everheap.infinispan;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import io.everheap.infinispan.configuration.StoreDurability;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.manager.PersistenceManager;

/** Cache managers of tests, and what is in their caches. */
final class Managers {
  private Managers() {}

  static DefaultCacheManager local(Path directory) {
    var global = new GlobalConfigurationBuilder().nonClusteredDefault();
    global.globalState().enable().persistentLocation(directory.toString());
    global.metrics().accurateSize(true);
    return new DefaultCacheManager(global.build());
  }

  static ConfigurationBuilder cache(Consumer<EverheapStoreConfigurationBuilder> settings) {
    var cache = new ConfigurationBuilder();
    EverheapStoreConfigurationBuilder store =
        cache.persistence().addStore(EverheapStoreConfigurationBuilder.class);
    store.durability(StoreDurability.ASYNC);
    settings.accept(store);
    return cache;
  }

  static <K, V> Cache<K, V> define(
      DefaultCacheManager manager, String name, Configuration configuration) {
    manager.defineConfiguration(name, configuration);
    return manager.getCache(name);
  }

  /** The store of a cache. */
  static EverheapStore<?, ?> store(Cache<?, ?> cache) {
    return ComponentRegistry.componentOf(cache, PersistenceManager.class)
        .getStores(EverheapStore.class)
        .iterator()
        .next();
  }
}
