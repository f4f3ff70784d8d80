package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.home.ChangedPages;
import io.everheap.error.BackupException;
import io.everheap.error.DiskFullException;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The set of pages that changed since a backup, on a disk that is full. */
class ChangedPagesTest {
  private static final UUID HEAP = new UUID(1, 2);
  private static final UUID BACKUP = new UUID(3, 4);
  private static final long BEHIND = 40_000; // a page that needs another block of the file

  private final SimulatedMedium medium = SimulatedMedium.file(1);
  private final ChangedPages changes = ChangedPages.open(medium, HEAP, 0);

  private void begin() {
    changes.begin(BACKUP, 0);
    changes.complete(BACKUP);
    changes.add(new long[] {7}, 0, 1);
    changes.sync(16, MediumFile::sync);
    assertThat(changes.since()).isEqualTo(BACKUP);
  }

  @Test
  void aCheckpointOnAFullDiskEndsTheSet() {
    begin();
    changes.add(new long[] {BEHIND}, 0, 1);
    medium.faults().fillDisk(1);
    changes.sync(32, MediumFile::sync); // does not throw: the checkpoint makes room
    medium.faults().freeSpace();
    assertThat(changes.since()).isNull();
    // a backup that began before must not take it for "nothing changed"
    assertThatThrownBy(() -> changes.forEach(BACKUP, page -> {}))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("take a full backup");
    changes.add(new long[] {8}, 0, 1);
    changes.sync(48, MediumFile::sync);
    assertThat(medium.exists(ChangedPages.NAME)).isFalse();
  }

  @Test
  void onlyTheSetOfTheBackupThatEndsIsAbandoned() {
    begin();
    changes.begin(new UUID(5, 6), 16);
    changes.abandon(BACKUP); // is complete
    assertThat(changes.isBegun()).isTrue();
    changes.abandon(new UUID(5, 6));
    assertThat(changes.isBegun()).isFalse();
    List<Long> pages = new ArrayList<>();
    changes.forEach(BACKUP, pages::add);
    assertThat(pages).containsExactly(7L);
  }

  @Test
  void aBackupThatCouldNotBeginOnAFullDiskCanBegin() {
    begin();
    medium.faults().fillDisk(1);
    assertThatThrownBy(() -> changes.begin(new UUID(5, 6), 16))
        .isInstanceOf(DiskFullException.class);
    assertThat(changes.isBegun()).isFalse();
    medium.faults().freeSpace();
    changes.begin(new UUID(5, 6), 16);
    changes.complete(new UUID(5, 6));
    assertThat(changes.since()).isEqualTo(new UUID(5, 6));
  }

  @Test
  void aGrowthOnAFullDiskEndsTheSetAlsoForAnOpeningAfterAPowerLoss() {
    begin();
    medium.faults().fillDisk(1);
    changes.addZeros(BEHIND << 12, (BEHIND + 1) << 12, MediumFile::sync);
    medium.faults().freeSpace();
    for (SimulatedMedium after : List.of(medium.processKill(), medium.powerLoss(Chooser.none()))) {
      assertThat(ChangedPages.open(after, HEAP, 16).since()).isNull();
    }
  }

  @Test
  void aBackupIsCompleteAlthoughTheSetOfItsSuccessorHasNoRoom() {
    begin();
    changes.begin(new UUID(5, 6), 16);
    changes.add(new long[] {BEHIND}, 0, 1);
    medium.faults().fillDisk(1);
    changes.sync(32, MediumFile::sync);
    medium.faults().freeSpace();
    assertThat(changes.isBegun()).as("so the image must not shrink").isTrue();
    assertThatThrownBy(() -> changes.begin(new UUID(7, 8), 32))
        .isInstanceOf(IllegalStateException.class);
    changes.complete(new UUID(5, 6));
    assertThat(changes.isBegun()).isFalse();
    assertThat(changes.since()).isNull();
    changes.close();
  }
}
