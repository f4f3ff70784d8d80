package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes a store while it is backed up, and restores what is listed then. */
@Campaign
class StoreBackupCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore(false, true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaitingForIt() {
    explore(false, false);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true, true);
  }

  private static void explore(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 16, 3), new Explorer.Effort(1, 1, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new StoreBackupProcess(sync, s, 12),
              () -> dax ? SimulatedMedium.dax(s) : SimulatedMedium.file(s));
    }
    CrashFigures.add("store backups, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }
}
