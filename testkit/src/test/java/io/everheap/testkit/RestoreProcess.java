package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.error.MissingException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Map;

/**
 * A process that restores a backup. Its successor opens the heap, and finds all of it; or is told
 * that the restore was interrupted, and repeats it.
 */
final class RestoreProcess implements SimulatedProcess {
  private final HeapSetup setup;
  private final BackupProcess.Store store;
  private final Backup backup;
  private final Map<Integer, Integer> expected;
  private volatile boolean done;

  RestoreProcess(
      HeapSetup setup,
      BackupProcess.Store store,
      Backup backup,
      Map<Integer, Integer> expected,
      boolean done) {
    this.setup = setup;
    this.store = store;
    this.backup = backup;
    this.expected = expected;
    this.done = done;
  }

  @Override
  public Promise promise() {
    boolean restored = done;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long seed) {
        return new RestoreProcess(setup, store, backup, expected, restored);
      }

      @Override
      public Object key() {
        return restored;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    if (!medium.exists("heap")) {
      assertThat(done).as("the restore returned").isFalse();
      if (medium.exists("restoring")) {
        try {
          Engine.open(
                  setup.with(BackupProcess.unclosed(medium)),
                  SimulatedHeaps.options(setup.durability()))
              .close();
          throw new AssertionError("a heap that is not restored was opened");
        } catch (MissingException e) {
          assertThat(e).hasMessageContaining("interrupted");
        }
      }
      store.directory.restore(
          backup,
          new RestorePoint.OfBackup(),
          () -> setup.with(BackupProcess.unclosed(medium)),
          SimulatedHeaps.options(setup.durability()),
          BackupProgress.NONE);
      done = true;
    }
    try (Heap heap = setup.open(medium)) {
      setup.verify(heap);
      assertThat(BackupProcess.contents(heap)).as("the restored heap").isEqualTo(expected);
    }
  }
}
