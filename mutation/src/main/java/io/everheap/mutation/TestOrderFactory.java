package io.everheap.mutation;

import java.util.Properties;
import org.pitest.classpath.CodeSource;
import org.pitest.coverage.CoverageDatabase;
import org.pitest.mutationtest.build.TestPrioritiser;
import org.pitest.mutationtest.build.TestPrioritiserFactory;

/** Gives PIT the {@link TestOrder} with the budget of the run in this process. */
public final class TestOrderFactory implements TestPrioritiserFactory {
  /** Milliseconds of tests for one mutant; set before PIT starts. */
  private static volatile long budget = 60_000;

  static void use(long milliseconds) {
    budget = milliseconds;
  }

  @Override
  public TestPrioritiser makeTestPrioritiser(
      Properties properties, CodeSource code, CoverageDatabase coverage) {
    return new TestOrder(coverage, budget);
  }

  @Override
  public String description() {
    return "Runs the tests of a mutant's package first, up to a budget of time";
  }
}
