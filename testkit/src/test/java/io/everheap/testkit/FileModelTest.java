package io.everheap.testkit;

import static io.everheap.testkit.Bytes.at;
import static io.everheap.testkit.Bytes.blocks;
import static io.everheap.testkit.Bytes.durable;
import static io.everheap.testkit.Bytes.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ReadOnlyException;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FileModelTest {
  private final SimulatedMedium medium = SimulatedMedium.file(1);

  @Test
  void aKilledProcessLeavesEverythingThatItWrote() {
    MediumFile file = medium.create("a");
    file.write(filled(5000, 7), 0);

    SimulatedMedium next = medium.processKill();

    assertThat(Bytes.size(next, "a")).isEqualTo(5000);
    assertThat(at(next, "a", 4999)).isEqualTo(7);
    assertThat(next.incarnation()).isEqualTo(medium.incarnation());
  }

  @Test
  void aKilledProcessMayLeaveTheFirstPagesOfAWrite() {
    List<CrashImage> parts = new ArrayList<>();
    medium.observe(
        point -> {
          if (point.kind() == CrashPoint.Kind.WRITE_PART) {
            parts.add(medium.image());
          }
        });
    MediumFile file = durable(medium, "a", 4 * 4096);
    parts.clear();
    file.write(filled(4096, 1), 0);
    file.write(filled(3 * 4096, 2), 4096);
    file.writeDurably(blocks(2, 3), 0);

    assertThat(parts).hasSize(2);
    SimulatedMedium first = parts.getFirst().processKill();
    assertThat(at(first, "a", 8191)).isEqualTo(2);
    assertThat(at(first, "a", 8192)).isZero();
    SimulatedMedium second = parts.getLast().processKill();
    assertThat(at(second, "a", 4095)).isEqualTo(3);
    assertThat(at(second, "a", 4096)).isEqualTo(2);
  }

  @Test
  void whatAKilledProcessWroteIsNotDurableForItsSuccessorEither() {
    MediumFile file = durable(medium, "a", 512);
    file.write(filled(512, 7), 0);

    SimulatedMedium afterBoth = medium.processKill().powerLoss(Chooser.none());

    assertThat(at(afterBoth, "a", 0)).isZero();
  }

  @Test
  void aPowerLossTakesBackWhatWasNotSynced() {
    MediumFile file = durable(medium, "a", 1024);
    file.write(filled(1024, 1), 0);
    file.sync();
    file.write(filled(1024, 2), 0);

    assertThat(at(medium.powerLoss(Chooser.none()), "a", 0)).isEqualTo(1);
    assertThat(at(medium.powerLoss(Chooser.all()), "a", 0)).isEqualTo(2);
    assertThat(medium.powerLoss(Chooser.all()).incarnation()).isNotEqualTo(medium.incarnation());
  }

  @Test
  void sectorsSurviveOneByOne() {
    MediumFile file = durable(medium, "a", 2048);
    file.write(filled(2048, 3), 0);

    CrashImage image = medium.image();
    SimulatedMedium next = image.powerLoss(Chooser.only(2));

    assertThat(image.units()).hasSize(4);
    assertThat(List.of(at(next, "a", 1023), at(next, "a", 1024), at(next, "a", 1536)))
        .containsExactly(0, 3, 0);
  }

  @Test
  void aSectorMaySurviveInAnyVersionSinceTheLastSync() {
    MediumFile file = durable(medium, "a", 512);
    file.write(filled(512, 1), 0);
    file.write(filled(512, 2), 0);

    CrashImage image = medium.image();
    Set<Integer> seen = new HashSet<>();
    for (int[] state : CrashStates.of(image.units(), 16, 16, 0).all()) {
      seen.add(at(image.powerLoss(unit -> state[unit.index()]), "a", 0));
    }

    assertThat(seen).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void aDurableWriteSavesItsOwnSectorsOnly() {
    MediumFile file = durable(medium, "a", 3 * 4096);
    file.write(filled(4096, 1), 0);
    file.writeDurably(blocks(1, 2), 8192);

    SimulatedMedium next = medium.powerLoss(Chooser.none());

    assertThat(at(next, "a", 0)).isZero();
    assertThat(at(next, "a", 8192)).isEqualTo(2);
  }

  @Test
  void aDurableWriteMakesTheFileLongEnoughForIt() {
    MediumFile file = durable(medium, "a", 0);
    file.truncate(65536);
    file.writeDurably(blocks(1, 2), 4096);

    assertThat(Bytes.size(medium.powerLoss(Chooser.none()), "a")).isEqualTo(8192);
  }

  @Test
  void aDurableWriteMayBeCutToAnySectorsBeforeItReturns() {
    MediumFile file = durable(medium, "a", 4096);
    List<CrashImage> during = new ArrayList<>();
    medium.observe(
        point -> {
          if (point.kind() == CrashPoint.Kind.DURABLE_WRITE) {
            during.add(medium.image());
          }
        });

    file.writeDurably(blocks(1, 9), 0);

    assertThat(during).singleElement().satisfies(image -> assertThat(image.units()).hasSize(8));
    SimulatedMedium next = during.getFirst().powerLoss(Chooser.allBut(7));
    assertThat(at(next, "a", 3583)).isEqualTo(9);
    assertThat(at(next, "a", 3584)).isZero();
  }

  @Test
  void theLengthSurvivesApartFromTheBytes() {
    MediumFile file = durable(medium, "a", 0);
    file.write(filled(512, 5), 0);

    CrashImage image = medium.image();

    assertThat(image.units()).extracting(Chooser.Unit::name).contains("length of a");
    assertThat(Bytes.size(image.powerLoss(Chooser.none()), "a")).isZero();
    SimulatedMedium longWithoutBytes = image.powerLoss(Chooser.only(0));
    assertThat(Bytes.size(longWithoutBytes, "a")).isEqualTo(512);
    assertThat(at(longWithoutBytes, "a", 0)).isZero();
  }

  @Test
  void aShrunkFileMayComeBackInFullAndGrowsWithZeros() {
    MediumFile file = durable(medium, "a", 8192);
    file.write(filled(8192, 4), 0);
    file.sync();
    file.truncate(100);
    SimulatedMedium before = medium.powerLoss(Chooser.none());
    file.truncate(8192);

    assertThat(at(before, "a", 8191)).isEqualTo(4);
    assertThat(at(medium, "a", 99)).isEqualTo(4);
    assertThat(at(medium, "a", 100)).isZero();
    assertThat(at(medium, "a", 8191)).isZero();
  }

  @Test
  void sharedMappingsAndFileCallsSeeTheSameBytes() {
    MediumFile file = durable(medium, "a", 8192);
    try (Region region = file.map(Mapping.SHARED, 0, 8192)) {
      region.putLong(8, 0x0102030405060708L);
      file.write(filled(8, 6), 4096);

      assertThat(at(medium, "a", 8)).isEqualTo(8);
      assertThat(region.getByte(4103)).isEqualTo((byte) 6);
      assertThat(at(medium.processKill(), "a", 15)).isEqualTo(1);
    }
  }

  @Test
  void anUnsyncedMappingMaySurviveInVersionsOfEachPage() {
    MediumFile file = durable(medium, "ring", 8192);
    MediumFile other = durable(medium, "log", 512);
    try (Region region = file.map(Mapping.SHARED, 0, 8192)) {
      region.putLong(0, 1);
      region.putLong(4096, 1);
      other.sync();
      region.putLong(0, 2);
    }

    CrashImage image = medium.image();

    assertThat(image.units()).extracting(Chooser.Unit::versions).containsExactly(3, 2);
    SimulatedMedium next = image.powerLoss(unit -> unit.index() == 0 ? 1 : 0);
    assertThat(at(next, "ring", 0)).isEqualTo(1);
    assertThat(at(next, "ring", 4096)).isZero();
  }

  @Test
  void aPrivateMappingShowsTheFileUntilItsPageIsStoredTo() {
    MediumFile file = durable(medium, "home", 8192);
    try (Region region = file.map(Mapping.PRIVATE, 0, 8192)) {
      region.putLong(0, 1);
      file.write(filled(8192, 7), 0);

      assertThat(region.getByte(8)).isZero();
      assertThat(region.getByte(4096)).isEqualTo((byte) 7);
      assertThat(at(medium, "home", 0)).isEqualTo(7);
      assertThat(medium.count(CrashPoint.Kind.STORE)).isZero();
    }
  }

  @Test
  void aMappingGrowsAShortFileSparsely() {
    MediumFile file = durable(medium, "a", 100);
    try (Region region = file.map(Mapping.SHARED, 4096, 4096)) {
      region.putByte(4095, (byte) 3);
    }

    assertThat(file.size()).isEqualTo(8192);
    assertThat(at(medium, "a", 8191)).isEqualTo(3);
  }

  @Test
  void aClosedRegionRefusesStores() {
    MediumFile file = durable(medium, "a", 4096);
    Region region = file.map(Mapping.SHARED, 0, 4096);
    region.close();

    assertThatThrownBy(() -> region.putLong(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> file.map(Mapping.SHARED, 0, 8).putLong(8, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aKilledProcessCanDoNothingMore() {
    MediumFile file = durable(medium, "a", 4096);
    Region region = file.map(Mapping.SHARED, 0, 4096);
    medium.dieAt(medium.points() + 2);
    region.putLong(0, 1);

    assertThatThrownBy(() -> region.putLong(0, 2)).isInstanceOf(Crash.class);
    assertThatThrownBy(() -> region.putLong(0, 3)).isInstanceOf(Crash.class);
    assertThatThrownBy(() -> file.size()).isInstanceOf(Crash.class);
    assertThatThrownBy(() -> region.getLong(0)).isInstanceOf(IllegalStateException.class);
    assertThat(at(medium.processKill(), "a", 0)).isEqualTo(2);
  }

  @Test
  void aCopyIntoASharedMappingCanBeCutByAKill() {
    MediumFile file = durable(medium, "a", 4096);
    Region region = file.map(Mapping.SHARED, 0, 4096);
    medium.dieAt(medium.points() + 1);

    assertThatThrownBy(() -> region.fill(0, 64, (byte) 1)).isInstanceOf(Crash.class);
    SimulatedMedium next = medium.processKill();
    assertThat(at(next, "a", 31)).isEqualTo(1);
    assertThat(at(next, "a", 32)).isZero();
  }

  @Test
  void anImageDoesNotSeeWhatHappensLater() {
    MediumFile file = durable(medium, "a", 4096);
    try (Region region = file.map(Mapping.SHARED, 0, 4096)) {
      region.putLong(0, 1);
      CrashImage image = medium.image();
      region.putLong(0, 2);
      SimulatedMedium next = image.processKill();
      try (MediumFile again = next.open("a")) {
        again.write(filled(8, 3), 0);
      }

      assertThat(at(image.processKill(), "a", 0)).isEqualTo(1);
      assertThat(at(next, "a", 0)).isEqualTo(3);
      assertThat(region.getByte(0)).isEqualTo((byte) 2);
    }
  }

  @Test
  void aClosedMediumStillTellsWhatIsOnTheDisk() {
    MediumFile file = durable(medium, "a", 512);
    file.write(filled(512, 1), 0);
    medium.close();

    assertThat(at(medium.processKill(), "a", 0)).isEqualTo(1);
    assertThat(at(medium.powerLoss(Chooser.none()), "a", 0)).isZero();
    assertThatThrownBy(() -> medium.exists("a")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aReaderOfAnImageCannotChangeIt() {
    durable(medium, "a", 512);

    SimulatedMedium reader = medium.image().readOnly();

    assertThat(at(reader, "a", 0)).isZero();
    assertThatThrownBy(() -> reader.create("b")).isInstanceOf(ReadOnlyException.class);
    assertThatThrownBy(() -> reader.open("a").sync()).isInstanceOf(ReadOnlyException.class);
  }
}
