package io.everheap.infinispan.conformance;

import org.testng.annotations.Test;

/** As many segments as caches have by default. */
@Test(groups = "unit", testName = "everheap.SegmentedFunctionalTest")
public class SegmentedFunctionalTest extends FunctionalSuite {
  /** Made by TestNG. */
  public SegmentedFunctionalTest() {
    super(256, true);
  }
}
