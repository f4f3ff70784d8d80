package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Crashes the journal: appends, batches, claims, releases, cuts, recovery. */
class JournalCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aCrashAtAnyMomentOfTheFirstStartIsSurvived() {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(40, 100, 4), new Explorer.Effort(2, 4, 2));
    for (Supplier<SimulatedMedium> medium : media(FIRST)) {
      new Explorer(FIRST, efforts, report)
          .explore(() -> new JournalProcess(FIRST, 3, true), medium);
    }
    CrashFigures.add("journal, first start", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void onAnOrdinaryFile() {
    explore(false, true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore(false, false);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true, true);
  }

  private static List<Supplier<SimulatedMedium>> media(long seed) {
    return List.of(() -> SimulatedMedium.file(seed), () -> SimulatedMedium.dax(seed));
  }

  private static void explore(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(10, 150, 6), new Explorer.Effort(1, 3, 2));
    for (int seed = FIRST; seed < FIRST + 2 * EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(() -> new JournalProcess(s, 60, sync), dax ? media(s).get(1) : media(s).get(0));
    }
    CrashFigures.add("journal, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }
}
