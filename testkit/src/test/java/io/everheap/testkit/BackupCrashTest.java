package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes heaps while they are backed up, and restores. */
class BackupCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void backUpAFile() {
    backUp(false, true);
  }

  @Test
  void backUpAFileWithoutWaiting() {
    backUp(false, false);
  }

  @Test
  void backUpByteAddressableStorage() {
    backUp(true, true);
  }

  private static void backUp(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 40, 4), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report)
          .explore(
              new BackupProcess(new HeapSetup(sync), seed, 30, new BackupProcess.Store()), medium);
    }
    CrashFigures.add("backups, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void restoreToAFile() {
    restore(false);
  }

  @Test
  void restoreToByteAddressableStorage() {
    restore(true);
  }

  private static void restore(boolean dax) {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      BackupScenarios.restore(
          dax, seed, List.of(new Explorer.Effort(8, 60, 5), new Explorer.Effort(2, 4, 2)), report);
    }
    CrashFigures.add("restores, " + (dax ? "dax" : "file"), report);
    assertThat(report.states()).isPositive();
  }
}
