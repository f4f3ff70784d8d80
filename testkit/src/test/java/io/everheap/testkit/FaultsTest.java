package io.everheap.testkit;

import static io.everheap.testkit.Bytes.at;
import static io.everheap.testkit.Bytes.blocks;
import static io.everheap.testkit.Bytes.durable;
import static io.everheap.testkit.Bytes.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import org.junit.jupiter.api.Test;

class FaultsTest {
  private final SimulatedMedium medium = SimulatedMedium.file(3);
  private final MediumFile file = durable(medium, "a", 8192);

  @Test
  void afterAFailedSyncALaterOneDoesNotWriteWhatWasLost() {
    file.write(filled(512, 1), 0);
    medium.faults().failSync(1);
    assertThatThrownBy(file::sync).isInstanceOf(MediumException.class);

    assertThatCode(file::sync).doesNotThrowAnyException();

    assertThat(at(medium, "a", 0)).isEqualTo(1);
    assertThat(at(medium.powerLoss(Chooser.none()), "a", 0)).isZero();
    assertThat(at(medium.processKill(), "a", 0)).isEqualTo(1);
  }

  @Test
  void whatAFailedSyncLostIsSafeOnceItIsWrittenAgain() {
    file.write(filled(512, 1), 0);
    medium.faults().failSync(1);
    assertThatThrownBy(file::sync).isInstanceOf(MediumException.class);
    file.write(filled(512, 1), 0);
    file.sync();

    assertThat(at(medium.powerLoss(Chooser.none()), "a", 0)).isEqualTo(1);
  }

  @Test
  void aFailedDurableWriteMayHaveReachedTheDiskOrNot() {
    medium.faults().failDurableWrite(2);
    file.writeDurably(blocks(1, 1), 0);
    var source = blocks(1, 2);

    assertThatThrownBy(() -> file.writeDurably(source, 0)).isInstanceOf(MediumException.class);

    assertThat(source.position()).isZero();
    assertThat(at(medium.powerLoss(Chooser.none()), "a", 0)).isEqualTo(1);
    assertThat(at(medium.powerLoss(Chooser.all()), "a", 0)).isEqualTo(2);
  }

  @Test
  void aWriteCanBeCut() {
    medium.faults().cutWrite(1);

    assertThatThrownBy(() -> file.write(filled(510, 1), 0)).isInstanceOf(MediumException.class);

    assertThat(at(medium, "a", 254)).isEqualTo(1);
    assertThat(at(medium, "a", 255)).isZero();
  }

  @Test
  void aWriteOfSectorsIsCutBetweenThem() {
    medium.faults().cutWrite(1);

    assertThatThrownBy(() -> file.write(filled(1536, 1), 0)).isInstanceOf(MediumException.class);

    assertThat(at(medium, "a", 511)).isEqualTo(1);
    assertThat(at(medium, "a", 512)).isZero();
  }

  @Test
  void aFullDiskRefusesNewPagesOnly() {
    medium.faults().fillDisk(1);

    file.write(filled(8192, 1), 0);
    assertThatThrownBy(() -> file.write(filled(1, 1), 8192)).isInstanceOf(DiskFullException.class);
    medium.faults().freeSpace();
    file.write(filled(1, 1), 8192);

    assertThat(file.size()).isEqualTo(8193);
  }

  @Test
  void aStoreToAHoleOfAFullDiskFailsAsOnARealMachine() {
    medium.faults().fillDisk(1);
    try (Region region = file.map(Mapping.SHARED, 0, 12288)) {
      region.putLong(0, 1);

      assertThatThrownBy(() -> region.putLong(8192, 1)).isInstanceOf(InternalError.class);
    }
  }

  @Test
  void aFlippedBitIsSeenByEveryone() {
    try (Region copy = file.map(Mapping.PRIVATE, 0, 4096)) {
      medium.flipBit("a", 100, 3);

      assertThat(copy.getByte(100)).isEqualTo((byte) 8);
    }
    assertThat(at(medium.powerLoss(Chooser.none()), "a", 100)).isEqualTo(8);
  }
}
