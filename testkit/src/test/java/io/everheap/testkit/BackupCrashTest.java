package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes heaps while they are backed up, and restores. */
@Campaign
class BackupCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void backUpAFile() {
    backUp(false, new HeapSetup(true), "file");
  }

  @Test
  void backUpAFileWithoutWaiting() {
    backUp(false, new HeapSetup(false), "file, async");
  }

  @Test
  void backUpAnEncryptedFile() {
    backUp(false, new HeapSetup(true).encrypted(), "encrypted");
  }

  @Test
  void backUpByteAddressableStorage() {
    backUp(true, new HeapSetup(true), "dax");
  }

  private static void backUp(boolean dax, HeapSetup setup, String name) {
    var report = new CrashReport();
    boolean slow = setup.key() != null; // each state decrypts and encrypts all backups
    List<Explorer.Effort> efforts =
        slow
            ? List.of(new Explorer.Effort(1, 4, 2), new Explorer.Effort(1, 1, 1))
            : List.of(new Explorer.Effort(1, 12, 3), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report)
          .explore(
              new BackupProcess(setup, seed, slow ? 10 : 30, new BackupProcess.Store(setup)),
              medium);
    }
    CrashFigures.add("backups, " + name, report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void restoreToAFile() {
    restore(new HeapSetup(true), false, "file");
  }

  @Test
  void restoreToAnEncryptedFile() {
    restore(new HeapSetup(true).encrypted(), false, "encrypted");
  }

  @Test
  void restoreToByteAddressableStorage() {
    restore(new HeapSetup(true), true, "dax");
  }

  private static void restore(HeapSetup setup, boolean dax, String name) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        setup.key() != null
            ? List.of(new Explorer.Effort(4, 24, 3), new Explorer.Effort(1, 1, 1))
            : List.of(new Explorer.Effort(8, 60, 5), new Explorer.Effort(2, 4, 2));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      BackupScenarios.restore(setup, dax, seed, efforts, report);
    }
    CrashFigures.add("restores, " + name, report);
    assertThat(report.states()).isPositive();
  }
}
