package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.memory.MediumSetting;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The statistics after a crash say how much the background has not yet brought up to date. */
@Campaign
class PendingBytesTest {
  private static final int ENTRIES = 300;
  private static final int VALUE = 3_000;

  @Test
  void pagesThatTheLogChangesArePendingUntilTheyAreUsed() {
    try (SimulatedMedium killed = killed();
        Heap heap = open(killed)) {
      long all = heap.stats().pendingBytes();
      assertThat(all).isGreaterThan(ENTRIES / 2 * VALUE);

      DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
      assertThat(map.get(ENTRIES / 2)).hasSize(VALUE);
      long rest = heap.stats().pendingBytes();
      assertThat(rest).isBetween(1L, all - 1);

      heap.checkpoint();
      assertThat(heap.stats().pendingBytes()).isZero();
    }
  }

  @Test
  void nothingIsPendingAfterAClose() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    fill(open(medium)).close();
    try (SimulatedMedium closed = medium.processKill();
        Heap heap = open(closed)) {
      assertThat(heap.stats().pendingBytes()).isZero();
    }
  }

  private static SimulatedMedium killed() {
    try (SimulatedMedium medium = SimulatedMedium.file(1);
        Heap heap = fill(open(medium))) {
      assertThat(heap.stats().pendingBytes()).isZero();
      return medium.processKill();
    }
  }

  private static Heap fill(Heap heap) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < ENTRIES; i++) {
        map.set(i, new byte[VALUE]);
      }
      heap.checkpoint();
    }
    for (int i = 0; i < ENTRIES; i++) {
      map.set(i, changed());
    }
    return heap;
  }

  private static byte[] changed() {
    byte[] value = new byte[VALUE];
    value[VALUE / 2] = 1;
    return value;
  }

  private static Heap open(SimulatedMedium medium) {
    return MediumSetting.withoutThreads(
            MediumSetting.medium(
                Heap.builder(Path.of(medium.location())).durability(Durability.SYNC), medium))
        .open();
  }
}
