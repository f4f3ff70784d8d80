package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.StoreDurability;
import org.testng.annotations.Test;

/** One segment, synced from time to time. */
@Test(groups = "unit", testName = "everheap.AsyncStoreTest")
public class AsyncStoreTest extends StoreSuite {
  /** Made by TestNG. */
  public AsyncStoreTest() {
    super(false, StoreDurability.ASYNC);
  }
}
