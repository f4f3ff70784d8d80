package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.error.EverheapException;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.Faults;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** Batches across shards while the disk fails: each is whole, at once and after an opening. */
@Campaign
class StoreFaultTest {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final long PAIRS = 8;

  private static ShardedStore open(SimulatedMedium medium, Durability durability) {
    return SimulatedStores.open(medium, 3, durability);
  }

  private static ShardedMap<Long, byte[]> map(ShardedStore store) {
    return store.map("map", Long.class, byte[].class);
  }

  @Test
  void aSyncFails() {
    eachCall(Faults::failSync);
  }

  @Test
  void aDurableWriteFails() {
    eachCall(Faults::failDurableWrite);
  }

  @Test
  void aWriteIsCut() {
    eachCall(Faults::cutWrite);
  }

  @Test
  void theDiskIsFull() {
    eachCall(Faults::fillDisk);
  }

  @Test
  void itIsOpenedEmptiedAndClosedOnAFullDisk() {
    SimulatedMedium first = SimulatedMedium.file(1);
    try (ShardedStore store = open(first, Durability.SYNC)) {
      fill(store);
    }
    CrashImage closed = first.image();
    for (int nth = 1; nth < 40; nth += 3) {
      SimulatedMedium medium = closed.processKill();
      medium.faults().fillDisk(nth);
      try (ShardedStore store = open(medium, Durability.SYNC)) {
        assertThat(map(store).sizeLong()).as("call %s", nth).isEqualTo(2 * PAIRS);
        map(store).clear();
      }
      medium.faults().freeSpace();
      SimulatedMedium left = medium.image().powerLoss(Chooser.none());
      try (ShardedStore store = open(left, Durability.SYNC)) {
        assertThat(map(store).sizeLong()).as("call %s", nth).isZero();
      }
    }
  }

  private static void fill(ShardedStore store) {
    for (long pair = 0; pair < PAIRS; pair++) {
      put(store, pair, 1);
    }
  }

  private static void eachCall(ObjLongConsumer<Faults> fault) {
    for (Durability durability : List.of(Durability.SYNC, LATER)) {
      int failures = 0;
      for (int nth = 1; nth < 200; nth += 9) {
        SimulatedMedium medium = SimulatedMedium.file(nth);
        boolean failed = false;
        try (ShardedStore store = open(medium, durability)) {
          fill(store);
          store.sync();
          fault.accept(medium.faults(), nth);
          for (long i = 0; i < 10 * PAIRS; i++) {
            try {
              put(store, i % PAIRS, (int) i);
            } catch (EverheapException e) {
              failed = true;
              try {
                check(store, nth);
              } catch (EverheapException poisoned) {
                // it says so
              }
            }
          }
        } catch (EverheapException e) {
          failed = true;
        }
        failures += failed ? 1 : 0;
        CrashImage image = medium.image();
        for (SimulatedMedium left :
            List.of(
                image.processKill(),
                image.powerLoss(Chooser.none()),
                image.powerLoss(Chooser.all()),
                image.powerLoss(Chooser.random(nth)))) {
          try (ShardedStore store = open(left, durability)) {
            check(store, nth);
          }
        }
        if (!failed) {
          break;
        }
      }
      assertThat(failures).isPositive();
    }
  }

  private static void put(ShardedStore store, long pair, int value) {
    ShardedMap<Long, byte[]> map = map(store);
    byte[] bytes = new byte[1000 + value * 100];
    store.batch().put(map, 2 * pair, bytes).put(map, 2 * pair + 1, bytes).commit();
  }

  private static void check(ShardedStore store, int nth) {
    ShardedMap<Long, byte[]> map = map(store);
    for (long pair = 0; pair < PAIRS; pair++) {
      assertThat(map.get(2 * pair)).as("call %s", nth).hasSameSizeAs(map.get(2 * pair + 1));
    }
  }
}
