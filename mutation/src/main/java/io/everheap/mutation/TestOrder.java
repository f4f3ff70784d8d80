package io.everheap.mutation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.pitest.coverage.BlockLocation;
import org.pitest.coverage.CoverageDatabase;
import org.pitest.coverage.TestInfo;
import org.pitest.mutationtest.build.TestPrioritiser;
import org.pitest.mutationtest.engine.MutationDetails;

/**
 * The tests that are run against a mutant: those that reach its instructions, of its own package
 * first, then the quick ones first, until their times add up to a budget. PIT would run all of
 * them, and a mutant of the engine is reached by almost every test.
 */
final class TestOrder implements TestPrioritiser {
  private final CoverageDatabase coverage;
  private final long budget;

  /**
   * @param budget of one mutant, in milliseconds
   */
  TestOrder(CoverageDatabase coverage, long budget) {
    this.coverage = coverage;
    this.budget = budget;
  }

  @Override
  public List<TestInfo> assignTests(MutationDetails mutant) {
    Set<TestInfo> reaching =
        mutant.getBlocks().stream()
            .map(block -> new BlockLocation(mutant.getId().getLocation(), block))
            .flatMap(block -> coverage.getTestsForBlockLocation(block).stream())
            .collect(Collectors.toSet());
    return withinBudget(mutant.getClassName().getPackage().asJavaName(), reaching, budget);
  }

  /** Orders tests for a mutant of a package, and leaves out those beyond the budget. */
  static List<TestInfo> withinBudget(String packageName, Set<TestInfo> tests, long budget) {
    List<TestInfo> order = new ArrayList<>(tests);
    order.sort(
        Comparator.comparing((TestInfo test) -> !definedIn(packageName, test))
            .thenComparingInt(TestInfo::getTime)
            .thenComparingInt(TestInfo::getNumberOfBlocksCovered)
            .thenComparing(TestInfo::getName));
    List<TestInfo> kept = new ArrayList<>();
    long sum = 0;
    for (TestInfo test : order) {
      sum += test.getTime();
      if (sum > budget && !kept.isEmpty()) {
        break;
      }
      kept.add(test);
    }
    return kept;
  }

  private static boolean definedIn(String packageName, TestInfo test) {
    String defining = TestInfo.toDefiningClassName().apply(test).asJavaName();
    return defining.startsWith(packageName) && defining.lastIndexOf('.') == packageName.length();
  }
}
