package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.HeapConversion;
import io.everheap.error.StoppedException;
import io.everheap.memory.Exchange;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.BackupProgress;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The machine stops at each point of an upgrade of a heap with version 1 of encrypted files. */
@Campaign
class UpgradeCrashTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int ENTRIES = 200;

  private static Heap open(SimulatedMedium medium) {
    return new SimulatedHeaps(Durability.SYNC, builder -> builder.encrypt(KEY)).open(medium);
  }

  private static boolean upgrade(SimulatedMedium medium) {
    return HeapConversion.upgrade(
        medium, KEY, SimulatedHeaps.options(Durability.SYNC), BackupProgress.NONE);
  }

  /** A heap as an earlier build made it: each file follows the header of the home image. */
  private static SimulatedMedium ofVersion1() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    SealedMedium.open(medium, KEY); // makes the keys; stays open, as does what is under it
    byte[] key = new byte[16];
    try (MediumFile keys = medium.open("keys")) {
      keys.read(ByteBuffer.wrap(key), 16);
    }
    ByteBuffer header = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(0, 0x4445_4C41_4553_5645L).putInt(8, 1).put(16, key).putLong(32, 1);
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, 48));
    header.putInt(48, (int) crc.getValue());
    try (MediumFile file = medium.create("heap")) {
      file.write(header, 0);
    }
    SealedMedium old = SealedMedium.open(medium, KEY);
    assertThat(old.hasKeyedPages()).isFalse();
    medium.delete("heap");
    try (Heap heap = openOn(old)) {
      assertThat(heap.stats().encryptionVersion()).isEqualTo(1);
      heap.transact(
          () -> {
            for (int i = 0; i < ENTRIES; i++) {
              heap.map("m", Integer.class, String.class).put(i, "value " + i);
            }
          });
    }
    return medium;
  }

  private static Heap openOn(SealedMedium medium) {
    return MediumSetting.medium(Heap.builder(Path.of(medium.location())), medium).open();
  }

  private static int check(SimulatedMedium medium) {
    try (Heap heap = open(medium)) {
      var map = heap.map("m", Integer.class, String.class);
      assertThat(map).hasSize(ENTRIES);
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(map).containsEntry(i, "value " + i);
      }
      assertThat(heap.verify().problems()).isEmpty();
      return heap.stats().encryptionVersion();
    }
  }

  @Test
  void aHeapOfVersion1StaysThatAndIsUpgraded() {
    SimulatedMedium medium = ofVersion1();
    assertThat(check(medium.processKill())).isEqualTo(1);
    SimulatedMedium again = medium.processKill();
    assertThat(upgrade(again)).isTrue();
    assertThat(check(again.processKill())).isEqualTo(2);
    assertThat(upgrade(again.processKill())).isFalse();
  }

  @Test
  void anUpgradeIsWholeOrDidNotHappen() {
    SimulatedMedium made = ofVersion1();
    SimulatedMedium counted = made.processKill();
    long before = counted.points();
    upgrade(counted);
    long points = counted.points() - before;
    assertThat(points).isGreaterThan(50);
    int[] versions = new int[3];
    long step = Math.max(1, points / (25L * EFFORT));
    for (long point = 1; point <= points; point += point > points - 12 ? 1 : step) {
      for (Chooser chooser : List.of(Chooser.none(), Chooser.all(), Chooser.random(point))) {
        SimulatedMedium medium = made.processKill();
        medium.dieAt(medium.points() + point);
        try {
          upgrade(medium);
        } catch (Crash | StoppedException e) {
          // The machine lost its power there.
        }
        SimulatedMedium after = medium.powerLoss(chooser);
        Exchange.settle(after); // as the opening of a directory does
        SimulatedMedium next = after.processKill();
        int version = check(after);
        versions[version]++;
        assertThat(upgrade(next)).as("at point %d", point).isEqualTo(version == 1);
        assertThat(check(next.processKill())).isEqualTo(2);
      }
    }
    assertThat(versions[1]).as("not upgraded").isPositive();
    assertThat(versions[2]).as("upgraded").isPositive();
  }
}
