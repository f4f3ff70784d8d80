package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes the redo log by itself, without an engine above it. */
class LogCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  /**
   * A segment whose name was not durable, because its maker was killed, was once used as it was.
   */
  @Test
  void aCrashAtAnyMomentOfTheFirstStartIsSurvived() {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(40, 100, 4), new Explorer.Effort(2, 4, 2));
    new Explorer(FIRST, efforts, report)
        .explore(new LogProcess(FIRST, 2), SimulatedMedium.file(FIRST));
    new Explorer(FIRST, efforts, report)
        .explore(new LogProcess(FIRST, 2), SimulatedMedium.dax(FIRST));
    CrashFigures.add("log, first start", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void theLogOfAnOrdinaryFileLosesNothingThatWasDurable() {
    explore(false);
  }

  @Test
  void theLogOnByteAddressableStorageLosesNothingThatWasDurable() {
    explore(true);
  }

  private static void explore(boolean dax) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(8, 200, 10), new Explorer.Effort(1, 2, 2));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report).explore(new LogProcess(seed, 60), medium);
    }
    CrashFigures.add("log, " + (dax ? "dax" : "file"), report);
    assertThat(report.states()).isPositive();
  }
}
