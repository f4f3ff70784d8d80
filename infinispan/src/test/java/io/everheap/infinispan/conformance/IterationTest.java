package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import org.infinispan.commons.util.Util;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.ParallelIterationTest;
import org.testng.annotations.Test;

/** Iterations of several threads at a time. */
@Test(groups = "functional", testName = "everheap.IterationTest")
public class IterationTest extends ParallelIterationTest {
  @Override
  protected void configurePersistence(ConfigurationBuilder builder) {
    builder
        .persistence()
        .addStore(EverheapStoreConfigurationBuilder.class)
        .path(Directories.of(getClass()).toString());
  }

  @Override
  protected void teardown() {
    super.teardown();
    Util.recursiveFileRemove(Directories.of(getClass()));
  }
}
