package io.everheap.infinispan.conformance;

import org.testng.annotations.Test;

/** A store without segments. */
@Test(groups = "unit", testName = "everheap.FunctionalTest")
public class FunctionalTest extends FunctionalSuite {
  /** Made by TestNG. */
  public FunctionalTest() {
    super(256, false);
  }
}
