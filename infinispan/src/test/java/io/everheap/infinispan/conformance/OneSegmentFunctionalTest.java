package io.everheap.infinispan.conformance;

import org.testng.annotations.Test;

/** A cache of one segment. */
@Test(groups = "unit", testName = "everheap.OneSegmentFunctionalTest")
public class OneSegmentFunctionalTest extends FunctionalSuite {
  /** Made by TestNG. */
  public OneSegmentFunctionalTest() {
    super(1, true);
  }
}
