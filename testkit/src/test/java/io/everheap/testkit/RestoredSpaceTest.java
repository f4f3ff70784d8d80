package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.DiskFullException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A restored heap on a disk that is full. */
class RestoredSpaceTest {
  private static final int PUTS = 1000; // the log is used several times over
  private static final HeapSetup SETUP = new HeapSetup(true);

  private static SimulatedMedium restored(boolean dax) {
    BackupProcess.Store store = new BackupProcess.Store(SETUP);
    SimulatedMedium target = dax ? SimulatedMedium.dax(2) : SimulatedMedium.file(2);
    try (Heap heap = SETUP.open(SimulatedMedium.file(1))) {
      heap.map("map", Integer.class, byte[].class).put(1, new byte[8]);
      Backup backup =
          store.directory.take(OpenHeap.engine(heap), Backup.Kind.FULL, 0, BackupProgress.NONE);
      store.directory.restore(
          backup,
          new RestorePoint.OfBackup(),
          () -> BackupProcess.unclosed(target),
          SimulatedHeaps.options(SETUP.durability()),
          BackupProgress.NONE);
    }
    return target;
  }

  /** The backup has nothing of a segment that is unused; the restored one has its space. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLogHasTheSpaceOfItsSegments(boolean dax) {
    SimulatedMedium medium = restored(dax);
    try (Heap heap = SETUP.open(medium)) {
      DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
      byte[] value = new byte[1000];
      map.put(1, value);
      medium.faults().fillDisk(1);
      int puts = 0;
      try {
        for (; puts < PUTS; puts++) {
          Arrays.fill(value, (byte) puts);
          map.put(1, value);
        }
      } catch (DiskFullException e) {
        assertThat(puts).isPositive();
      }
      medium.faults().freeSpace();
      map.put(2, value);
      SETUP.verify(heap);
    }
  }
}
