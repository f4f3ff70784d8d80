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

/** Suites of JUnit 3 as nodes of this platform. */
public final class GuavaSuites {
  private GuavaSuites() {}

  public static Stream<DynamicNode> nodes(TestSuite suite) {
    return Collections.list(suite.tests()).stream().map(GuavaSuites::node);
  }

  private static DynamicNode node(Test test) {
    return test instanceof TestSuite suite
        ? DynamicContainer.dynamicContainer(suite.getName(), nodes(suite))
        : DynamicTest.dynamicTest(((TestCase) test).getName(), () -> run(test));
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
