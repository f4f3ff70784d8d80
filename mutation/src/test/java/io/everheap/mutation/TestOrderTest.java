package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.pitest.coverage.TestInfo;

class TestOrderTest {
  private final TestInfo quick = test("io.b.QuickTest", 5);
  private final TestInfo slow = test("io.b.SlowTest", 70_000);
  private final TestInfo own = test("io.a.OwnTest", 900);
  private final TestInfo inner = test("io.a.inner.InnerTest", 1);
  private final Set<TestInfo> tests = Set.of(quick, slow, own, inner);

  @Test
  void testsOfThePackageComeFirstThenTheQuickOnes() {
    assertThat(order(100_000)).containsExactly(own, inner, quick, slow);
  }

  @Test
  void testsBeyondTheBudgetAreLeftOut() {
    assertThat(order(906)).containsExactly(own, inner, quick);
    assertThat(order(905)).containsExactly(own, inner);
  }

  @Test
  void oneTestIsRunWhateverItTakes() {
    assertThat(TestOrder.withinBudget("io.a", Set.of(slow), 1)).containsExactly(slow);
  }

  private List<TestInfo> order(long budget) {
    return TestOrder.withinBudget("io.a", tests, budget);
  }

  private static TestInfo test(String name, int millis) {
    return new TestInfo(name, "[method:m()]", millis, Optional.empty(), 1);
  }
}
