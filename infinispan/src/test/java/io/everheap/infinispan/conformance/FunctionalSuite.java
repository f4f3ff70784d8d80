package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.persistence.BaseStoreFunctionalTest;

/** What Infinispan asks of caches with each store. */
abstract class FunctionalSuite extends BaseStoreFunctionalTest {
  private final int segments;
  private final boolean segmented;

  FunctionalSuite(int segments, boolean segmented) {
    this.segments = segments;
    this.segmented = segmented;
  }

  @Override
  protected ConfigurationBuilder getDefaultCacheConfiguration() {
    ConfigurationBuilder builder = super.getDefaultCacheConfiguration();
    builder.clustering().hash().numSegments(segments);
    return builder;
  }

  @Override
  protected PersistenceConfigurationBuilder createCacheStoreConfig(
      PersistenceConfigurationBuilder persistence, String cacheName, boolean preload) {
    var store =
        persistence
            .addStore(EverheapStoreConfigurationBuilder.class)
            .segmented(segmented)
            .preload(preload);
    if (segmented) {
      store.path("shared by all caches");
    }
    return persistence;
  }
}
