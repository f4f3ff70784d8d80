package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes an encrypted heap, as {@link EngineCrashTest} does one that is not encrypted. */
@Campaign
class EncryptionCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore(true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore(false);
  }

  private static void explore(boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 30, 4), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      new Explorer(seed, efforts, report)
          .explore(
              new BlockProcess(
                  SimulatedHeaps.options(new HeapSetup(sync).durability()), true, seed, 40),
              SimulatedMedium.file(seed));
    }
    CrashFigures.add("encryption" + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }
}
