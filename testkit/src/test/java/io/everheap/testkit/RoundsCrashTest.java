package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.RoundsProcess.Order;
import io.everheap.testkit.RoundsProcess.Plan;
import io.everheap.testkit.RoundsWork.Act;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lets a writer act at each step of a checkpoint, and a checkpoint run at each step of a writer,
 * then crashes the process at later moments: what is found is the state after some commit, no older
 * than any that was acknowledged.
 */
class RoundsCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aCommitAtSomeStepsOfACheckpoint() {
    var report = new CrashReport();
    var few = new Explorer.Effort(1, Integer.MAX_VALUE, 3);
    var plan = new Plan(Act.OVERWRITE_ASYNC, Order.IN_ROUND, 8, 10);
    assertThat(RoundsScenarios.explore(plan, false, 1, few, report)).isEqualTo(4);
    assertThat(report.states()).isGreaterThan(20);
  }

  @Campaign
  @ParameterizedTest
  @EnumSource
  void aWriterAtEachStepOfACheckpoint(Act act) {
    explore(act, Order.IN_ROUND, 1);
  }

  @Campaign
  @ParameterizedTest
  @EnumSource
  void aWriterThatStopsAtAStepOfItsOwn(Act act) {
    explore(act, Order.IN_BOTH, 1);
  }

  @Campaign
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LARGE") // thousands of steps
  void aCheckpointAtStepsOfAWriter(Act act) {
    boolean few = act == Act.OVERWRITE || act == Act.OVERWRITE_ASYNC;
    explore(act, Order.IN_WRITER, few ? 1 : 16);
  }

  private static void explore(Act act, Order order, int every) {
    var effort = new Explorer.Effort(EFFORT, Integer.MAX_VALUE, 3);
    for (boolean dax : new boolean[] {false, true}) {
      var report = new CrashReport();
      int interleavings = 0;
      for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
        var plan = new Plan(act, order, 1 + Math.floorMod(seed, every), every);
        interleavings += RoundsScenarios.explore(plan, dax, seed, effort, report);
      }
      String name =
          String.format(Locale.ROOT, "rounds, %s %s, %s", act, order, dax ? "dax" : "file")
              .toLowerCase(Locale.ROOT);
      System.out.println(name + ": " + interleavings + " interleavings");
      CrashFigures.add(name, report);
      assertThat(interleavings).as("interleavings").isGreaterThanOrEqualTo(EFFORT);
      assertThat(report.states()).isGreaterThan(interleavings);
    }
  }
}
