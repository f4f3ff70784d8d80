package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes a heap whose roots are renamed. */
@Campaign
class RenameCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore(false);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true);
  }

  private static void explore(boolean dax) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 40, 4), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report)
          .explore(new RenameProcess(new HeapSetup(true), seed, 40), medium);
    }
    CrashFigures.add("renamed roots, " + (dax ? "dax" : "file"), report);
    assertThat(report.states()).isPositive();
  }
}
