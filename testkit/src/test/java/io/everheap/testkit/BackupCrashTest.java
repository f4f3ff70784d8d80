package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.util.List;
import java.util.Random;
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
      HeapSetup setup = new HeapSetup(true);
      BackupProcess.Store store = new BackupProcess.Store();
      RestoreProcess process;
      try (Heap heap = setup.open(SimulatedMedium.file(seed))) {
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
          BackupProcess.change(heap, random);
          if (i % 8 == 7) {
            store.directory.take(
                OpenHeap.engine(heap),
                i == 7 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL,
                0,
                BackupProgress.NONE);
          }
        }
        Backup backup =
            store.directory.take(
                OpenHeap.engine(heap), Backup.Kind.INCREMENTAL, 0, BackupProgress.NONE);
        process = new RestoreProcess(setup, store, backup, BackupProcess.contents(heap), false);
      }
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      List<Explorer.Effort> efforts =
          List.of(new Explorer.Effort(8, 60, 5), new Explorer.Effort(2, 4, 2));
      new Explorer(seed, efforts, report).explore(process, medium);
    }
    CrashFigures.add("restores, " + (dax ? "dax" : "file"), report);
    assertThat(report.states()).isPositive();
  }
}
