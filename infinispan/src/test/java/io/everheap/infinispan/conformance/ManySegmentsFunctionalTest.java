package io.everheap.infinispan.conformance;

import org.testng.annotations.Test;

/** Many segments. */
@Test(groups = "unit", testName = "everheap.ManySegmentsFunctionalTest")
public class ManySegmentsFunctionalTest extends FunctionalSuite {
  /** Made by TestNG. */
  public ManySegmentsFunctionalTest() {
    super(2048, true);
  }
}
