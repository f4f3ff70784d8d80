package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.EverheapStoreConfigurationBuilder;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.persistence.IdentityKeyValueWrapper;
import org.infinispan.xsite.irac.persistence.BaseIracPersistenceTest;
import org.testng.annotations.Test;

/** The metadata by which sites resolve conflicts is stored and loaded. */
@Test(groups = "functional", testName = "everheap.CrossSiteTest")
public class CrossSiteTest extends BaseIracPersistenceTest<String> {
  /** Made by TestNG. */
  public CrossSiteTest() {
    super(IdentityKeyValueWrapper.instance());
  }

  @Override
  protected void configure(ConfigurationBuilder builder) {
    builder
        .persistence()
        .addStore(EverheapStoreConfigurationBuilder.class)
        .path(tmpDirectory + "/heap");
  }
}
