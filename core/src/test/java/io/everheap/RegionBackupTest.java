package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.block.UnloggedRegion;
import io.everheap.report.Backup;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions, which have no log, in full and incremental backups. */
class RegionBackupTest {
  private static final Backup.Kind INCREMENTAL = Backup.Kind.INCREMENTAL;
  private static final int PART = 1 << 20;
  private static final int HEADER = 4096;

  @TempDir private Path dir;
  private int restores;

  private Backups backups() {
    return Backups.in(dir.resolve("backups"));
  }

  private Heap open() {
    return TestHeaps.open(dir.resolve("heap"));
  }

  private Heap restored(Backup backup) {
    Path target = dir.resolve("restored" + restores++);
    backups().restore(backup, target);
    return TestHeaps.open(target);
  }

  /** A region is copied in parts. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4096, PART - HEADER - 1, PART - HEADER, PART - HEADER + 1, 2 * PART})
  void allBytesOfARegionAreRestored(int size) {
    Backup backup;
    try (Heap heap = open()) {
      UnloggedRegion region = heap.region("r", size);
      region.fill(0, size, (byte) 3);
      region.setByte(0, (byte) 1);
      region.setByte(size / 2, (byte) 7);
      region.setByte(size - 1, (byte) 2);
      if (size > PART) {
        region.setByte(PART - HEADER - 1, (byte) 4);
        region.setByte(PART - HEADER, (byte) 5);
      }
      backup = backups().take(heap); // without a force
      region.fill(0, size, (byte) 9);
    }
    try (Heap heap = restored(backup)) {
      UnloggedRegion region = heap.region("r", size);
      for (int i = 0; i < size; i++) {
        byte expected =
            i == size - 1
                ? 2
                : i == size / 2
                    ? 7
                    : i == 0
                        ? 1
                        : size > PART && i == PART - HEADER - 1
                            ? 4
                            : size > PART && i == PART - HEADER ? 5 : (byte) 3;
        if (region.getByte(i) != expected) {
          assertThat(region.getByte(i)).as("byte %s", i).isEqualTo(expected);
        }
      }
    }
  }

  /** No log and no set of changed pages says that a region changed. */
  @Test
  void eachLinkOfAChainHasTheRegionsOfItsMoment() {
    Backup[] links = new Backup[4];
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 3);
      heap.region("r", 9000).setByte(8999, (byte) 1);
      heap.region("removed", 10).setByte(0, (byte) 1);
      links[0] = backups().take(heap);
      heap.region("r", 9000).setByte(8999, (byte) 2);
      links[1] = backups().take(heap, INCREMENTAL);
      heap.region("r", 9000).setByte(8999, (byte) 3);
      heap.region("later", 20).setByte(19, (byte) 1);
      heap.removeRegion("removed");
      TestHeaps.put(heap, 3, 5);
      links[2] = backups().take(heap, INCREMENTAL);
      heap.removeRegion("r");
      heap.region("r", 50).setByte(0, (byte) 4); // with another size
      links[3] = backups().take(heap, INCREMENTAL);
      heap.region("r", 50).setByte(0, (byte) 5);
    }
    try (Heap heap = restored(links[0])) {
      assertThat(heap.regions()).containsExactly("r", "removed");
      assertThat(heap.region("r", 9000).getByte(8999)).isEqualTo((byte) 1);
      assertThat(heap.region("removed", 10).getByte(0)).isEqualTo((byte) 1);
      TestHeaps.assertHolds(heap, 3);
    }
    try (Heap heap = restored(links[1])) {
      assertThat(heap.regions()).containsExactly("r", "removed");
      assertThat(heap.region("r", 9000).getByte(8999)).isEqualTo((byte) 2);
      TestHeaps.assertHolds(heap, 3);
    }
    try (Heap heap = restored(links[2])) {
      assertThat(heap.regions()).containsExactly("later", "r");
      assertThat(heap.region("r", 9000).getByte(8999)).isEqualTo((byte) 3);
      assertThat(heap.region("later", 20).getByte(19)).isEqualTo((byte) 1);
      TestHeaps.assertHolds(heap, 5);
    }
    try (Heap heap = restored(links[3])) {
      assertThat(heap.region("r", 50).getByte(0)).isEqualTo((byte) 4);
      assertThatThrownBy(() -> heap.region("later", 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has 20 bytes");
    }
  }

  @Test
  void aRegionThatNobodyChangedIsInEachLink() {
    Backup last;
    try (Heap heap = open()) {
      heap.region("r", 100).setByte(50, (byte) 6);
      backups().take(heap);
      TestHeaps.put(heap, 0, 1);
      backups().take(heap, INCREMENTAL);
    }
    try (Heap heap = open()) { // where it is not open
      TestHeaps.put(heap, 1, 2);
      last = backups().take(heap, INCREMENTAL);
    }
    try (Heap heap = restored(last)) {
      assertThat(heap.region("r", 100).getByte(50)).isEqualTo((byte) 6);
      TestHeaps.assertHolds(heap, 2);
    }
  }
}
