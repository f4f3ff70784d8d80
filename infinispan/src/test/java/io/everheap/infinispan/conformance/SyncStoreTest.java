package io.everheap.infinispan.conformance;

import io.everheap.infinispan.configuration.StoreDurability;
import org.testng.annotations.Test;

/** One segment, each write synced. */
@Test(groups = "unit", testName = "everheap.SyncStoreTest")
public class SyncStoreTest extends StoreSuite {
  /** Made by TestNG. */
  public SyncStoreTest() {
    super(false, StoreDurability.SYNC);
  }
}
