package io.everheap.collection;

import java.util.Collections;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/** Guava's suites, which are of JUnit 3, on this platform. */
public final class GuavaSuite {
  private GuavaSuite() {}

  public static Stream<DynamicNode> nodes(TestSuite suite) {
    return Collections.list(suite.tests()).stream().map(GuavaSuite::node);
  }

  private static DynamicNode node(Test test) {
    if (test instanceof TestSuite suite) {
      return DynamicContainer.dynamicContainer(suite.getName(), nodes(suite));
    }
    return DynamicTest.dynamicTest(((TestCase) test).getName(), () -> run(test));
  }

  private static void run(Test test) throws Throwable {
    TestResult result = new TestResult();
    test.run(result);
    for (TestFailure failure : Collections.list(result.errors())) {
      throw failure.thrownException();
    }
    for (TestFailure failure : Collections.list(result.failures())) {
      throw failure.thrownException();
    }
  }
}
