package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.StoreDurability;
import org.testng.annotations.Test;

/** Segments, synced from time to time. */
@Test(groups = "unit", testName = "everheap.AsyncSegmentedStoreTest")
public class AsyncSegmentedStoreTest extends StoreSuite {
  /** Made by TestNG. */
  public AsyncSegmentedStoreTest() {
    super(true, StoreDurability.ASYNC);
  }
}
