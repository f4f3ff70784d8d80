package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import java.nio.file.Path;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.cache.PersistenceConfigurationBuilder;
import org.infinispan.persistence.MultiStoresFunctionalTest;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/** Several caches with a store each. */
@Test(groups = "unit", testName = "everheap.SeveralCachesTest")
public class SeveralCachesTest
    extends MultiStoresFunctionalTest<EverheapStoreConfigurationBuilder> {
  private final Path directory = Directories.of(getClass());

  @BeforeMethod
  void removeDirectory() {
    Util.recursiveFileRemove(directory);
  }

  @Override
  protected EverheapStoreConfigurationBuilder buildCacheStoreConfig(
      PersistenceConfigurationBuilder persistence, String discriminator) {
    return persistence
        .addStore(EverheapStoreConfigurationBuilder.class)
        .path(directory.resolve(discriminator).toString());
  }
}
