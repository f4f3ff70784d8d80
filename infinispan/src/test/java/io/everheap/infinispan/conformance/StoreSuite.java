package io.everheap.infinispan.conformance;

import io.everheap.infinispan.EverheapStore;
import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import io.everheap.infinispan.configuration.StoreDurability;
import java.nio.file.Path;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.BaseNonBlockingStoreTest;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.testng.annotations.AfterClass;

/** What Infinispan asks of each store, one method at a time. */
abstract class StoreSuite extends BaseNonBlockingStoreTest {
  private final boolean segmented;
  private final StoreDurability durability;
  private final Path directory;

  StoreSuite(boolean segmented, StoreDurability durability) {
    this.segmented = segmented;
    this.durability = durability;
    this.directory = Directories.of(getClass()).resolve(durability + "-" + segmented);
  }

  @AfterClass(alwaysRun = true)
  void removeDirectory() {
    Util.recursiveFileRemove(directory);
  }

  @Override
  protected NonBlockingStore<Object, Object> createStore() {
    Util.recursiveFileRemove(directory);
    return new EverheapStore<>();
  }

  @Override
  protected Configuration buildConfig(ConfigurationBuilder builder) {
    builder
        .persistence()
        .addStore(EverheapStoreConfigurationBuilder.class)
        .path(directory.toString())
        .durability(durability)
        .segmented(segmented);
    return builder.build();
  }
}
