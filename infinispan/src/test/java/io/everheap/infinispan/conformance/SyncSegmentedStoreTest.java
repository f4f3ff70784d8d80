package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.StoreDurability;
import org.testng.annotations.Test;

/** Segments, each write synced. */
@Test(groups = "unit", testName = "everheap.SyncSegmentedStoreTest")
public class SyncSegmentedStoreTest extends StoreSuite {
  /** Made by TestNG. */
  public SyncSegmentedStoreTest() {
    super(true, StoreDurability.SYNC);
  }
}
