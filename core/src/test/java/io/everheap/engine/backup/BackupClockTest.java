package io.everheap.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.FileMedium;
import io.everheap.memory.RecordedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups that are made after the clock was set back are the newest ones. */
class BackupClockTest {
  private static final long FUTURE = 2_100_000_000_000L; // in 2036

  @TempDir private Path temporary;

  private final RecordedMedium files = new RecordedMedium();
  private long now = FUTURE;
  private final BackupDirectory backups =
      new BackupDirectory(
          files::open,
          files::open,
          history -> FileMedium.open(temporary.resolve("archive"), false, true),
          history -> FileMedium.open(temporary.resolve("archive"), false, true),
          () -> now);

  private Backup take(Heap heap, Backup.Kind kind) {
    return backups.take(OpenHeap.engine(heap), kind, 0, BackupProgress.NONE);
  }

  private static Map<String, Long> map(Heap heap) {
    return heap.map("m", String.class, Long.class);
  }

  @Test
  void theBackupThatWasMadeLastIsRestoredAndKept() {
    Backup second;
    Backup third;
    try (Heap heap = Heap.open(temporary.resolve("heap"))) {
      map(heap).put("a", 1L);
      take(heap, Backup.Kind.FULL);
      now = FUTURE - 1_000_000_000;
      map(heap).put("b", 2L);
      second = take(heap, Backup.Kind.FULL);
      map(heap).put("c", 3L);
      third = take(heap, Backup.Kind.INCREMENTAL);
    }
    assertThat(backups.newest()).isEqualTo(third);
    assertThat(backups.before(new RestorePoint.OfBackup())).isEqualTo(third);
    backups.restore(
        backups.newest(),
        new RestorePoint.OfBackup(),
        () -> FileMedium.open(temporary.resolve("restored"), false, true),
        EngineOptions.defaults(),
        BackupProgress.NONE);
    try (Heap restored = Heap.open(temporary.resolve("restored"))) {
      assertThat(map(restored)).containsOnlyKeys("a", "b", "c");
    }
    assertThat(backups.keep(1)).hasSize(1);
    assertThat(backups.list()).isEqualTo(List.of(second, third));
  }
}
