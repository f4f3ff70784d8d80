package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes a heap that collects while transactions change what is in use. */
@Campaign
class CollectCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

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

  private static void explore(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 40, 3), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report)
          .explore(new CollectProcess(new HeapSetup(sync), seed, 20), medium);
    }
    CrashFigures.add("collect, " + (dax ? "dax" : sync ? "file" : "file, async"), report);
    assertThat(report.states()).isPositive();
  }
}
