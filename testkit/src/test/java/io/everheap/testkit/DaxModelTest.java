package io.everheap.testkit;

import static io.everheap.testkit.Bytes.durable;
import static io.everheap.testkit.Bytes.filled;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DaxModelTest {
  private final SimulatedMedium medium = SimulatedMedium.dax(1);
  private final MediumFile file = durable(medium, "log", 4096);
  private final Region region = file.map(Mapping.SHARED, 0, 4096);

  @Test
  void aKilledProcessLeavesWhatItsStoresLeftInTheCaches() {
    region.putLong(8, 5);

    assertThat(word(medium.processKill(), 8)).isEqualTo(5);
    assertThat(word(medium.processKill().powerLoss(Chooser.none()), 8)).isZero();
  }

  @Test
  void aForcedLineSurvivesAPowerLoss() {
    region.putLong(0, 1);
    region.putLong(56, 2);
    region.putLong(64, 3);
    region.force(8, 8);

    SimulatedMedium next = medium.powerLoss(Chooser.none());

    assertThat(word(next, 0)).isEqualTo(1);
    assertThat(word(next, 56)).isEqualTo(2);
    assertThat(word(next, 64)).isZero();
  }

  @Test
  void granulesOfALineSurviveInAnyOrder() {
    region.putLong(0, 1);
    region.putLong(8, 2);

    CrashImage image = medium.image();
    Set<String> seen = new HashSet<>();
    for (int[] state : CrashStates.of(image.units(), 16, 16, 0).all()) {
      SimulatedMedium next = image.powerLoss(unit -> state[unit.index()]);
      seen.add(word(next, 0) + "," + word(next, 8));
    }

    assertThat(seen).containsExactlyInAnyOrder("0,0", "1,0", "0,2", "1,2");
  }

  @Test
  void aGranuleMaySurviveInAnyVersionSinceTheLastForce() {
    region.putLong(0, 1);
    region.force(0, 64);
    region.putLong(0, 2);
    region.putLong(0, 3);

    CrashImage image = medium.image();

    assertThat(image.units()).singleElement().extracting(Chooser.Unit::versions).isEqualTo(3);
    assertThat(word(image.powerLoss(unit -> 1), 0)).isEqualTo(2);
  }

  @Test
  void anUnalignedStoreChangesTheGranulesItTouches() {
    region.putInt(6, -1);

    CrashImage image = medium.image();

    assertThat(image.units()).hasSize(2);
    assertThat(word(image.powerLoss(Chooser.only(0)), 0)).isEqualTo(0xFFFFL << 48);
  }

  @Test
  void storingTheSameValueMakesNothingUncertain() {
    region.putLong(0, 0);
    region.fill(64, 512, (byte) 0);

    assertThat(medium.image().units()).isEmpty();
  }

  @Test
  void fileCallsNeedASync() {
    file.write(filled(64, 1), 128);
    assertThat(word(medium.powerLoss(Chooser.none()), 128)).isZero();

    file.sync();

    assertThat(word(medium.powerLoss(Chooser.none()), 128)).isEqualTo(0x0101010101010101L);
  }

  @Test
  void aForceOfCleanLinesIsCounted() {
    region.putLong(0, 1);
    region.force(0, 8);
    region.force(0, 8);

    assertThat(medium.count(CrashPoint.Kind.FORCE)).isEqualTo(2);
    assertThat(medium.idleForces()).isEqualTo(1);
  }

  private static long word(SimulatedMedium on, long offset) {
    try (MediumFile file = on.open("log");
        Region region = file.map(Mapping.SHARED, 0, 4096)) {
      return region.getLong(offset);
    }
  }
}
