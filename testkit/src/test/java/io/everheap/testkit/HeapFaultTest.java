package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.block.UnloggedRegion;
import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lets the simulated disk fail under a heap. */
@Campaign
class HeapFaultTest {
  private static final HeapSetup SETUP = new HeapSetup(true);

  @Test
  void aFailedDurableWritePoisonsTheHeapAndLosesNothingAcknowledged() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SETUP.open(medium);
    DurableMap<Long, Long> map = map(heap);
    map.put(1L, 1L);
    medium.faults().failDurableWrite(1);

    assertThatThrownBy(() -> map.put(2L, 2L)).isInstanceOf(StoppedException.class);
    assertThatThrownBy(() -> map.put(3L, 3L)).isInstanceOf(EverheapException.class);
    assertThatThrownBy(() -> map.get(1L)).isInstanceOf(EverheapException.class);

    for (Chooser chooser : new Chooser[] {Chooser.none(), Chooser.all(), Chooser.random(3)}) {
      try (Heap again = SETUP.open(medium.powerLoss(chooser))) {
        assertThat(map(again)).containsEntry(1L, 1L).doesNotContainKey(3L);
        SETUP.verify(again);
      }
    }
    heap.close();
  }

  @Test
  void aFailedSyncOfTheHomeImageLosesNothingAcknowledged() {
    everyFault(medium -> medium.faults().failSync(1));
    everyFault(medium -> medium.faults().failSync(2));
  }

  @Test
  void aSuperblockThatWasLostBeforeItsSyncDoesNotLetTheLogGo() {
    RaceScenarios.aSuperblockThatWasLostBeforeItsSyncDoesNotLetTheLogGo();
  }

  private static DurableMap<Long, byte[]> values(Heap heap) {
    return heap.map("values", Long.class, byte[].class);
  }

  /** Makes the home image grow. */
  private static void fill(Heap heap) {
    heap.transact(
        () -> {
          for (long i = 100; i < 110; i++) {
            values(heap).put(i, new byte[900_000]);
          }
        });
  }

  /** The same with an unlogged region: what one thread is told must not be hidden from another. */
  @Test
  void aRegionIsNotForcedByASyncThatWasToldNothing() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    UnloggedRegion[] region = new UnloggedRegion[1];
    var other = new CompletableFuture<Throwable>();
    Medium hooked =
        HookedMedium.of(
            medium,
            new HookedMedium.Hook() {
              private boolean called;

              @Override
              public void before(String call, String file) {
                if (region[0] != null && call.equals("sync") && !called) {
                  called = true;
                  medium.faults().failSync(1);
                  Thread thread =
                      Thread.ofPlatform().start(() -> other.complete(forced(region[0])));
                  Limit.spinUntil(
                      "the other force waits for the lock",
                      () -> !thread.isAlive() || thread.getState() == Thread.State.BLOCKED);
                }
              }
            });
    try (Heap heap = open(hooked)) {
      UnloggedRegion bytes = heap.region("bytes", 4096);
      bytes.setLong(0, 1);
      region[0] = bytes;
      assertThat(forced(bytes)).isInstanceOf(EverheapException.class);
      assertThat(other).succeedsWithin(Limit.limit());
      assertThat(other.join()).isInstanceOf(EverheapException.class);
      assertThat(forced(bytes)).isInstanceOf(StoppedException.class);
    }
  }

  private static @Nullable Throwable forced(UnloggedRegion region) {
    try {
      region.force(0, 8);
      return null;
    } catch (EverheapException e) {
      return e;
    }
  }

  private static Heap open(Medium medium) {
    return HeapSettings.options(
            MediumSetting.medium(Heap.builder(Path.of("hooked")), medium),
            SimulatedHeaps.options(Durability.SYNC))
        .open();
  }

  @Test
  void aFullDiskLosesNothingAcknowledged() {
    for (int page = 1; page < 40; page += 3) {
      int nth = page;
      everyFault(medium -> medium.faults().fillDisk(nth));
    }
  }

  /** What was given space when the file grew has none in such a copy. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyWithHolesLosesNothingAcknowledgedOnAFullDisk(boolean dax) {
    SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    try (Heap heap = SETUP.open(medium)) {
      map(heap).put(-1L, -1L);
    }
    for (int page = 1; page < 60; page += 4) {
      SimulatedMedium copy = dax ? SimulatedMedium.dax(page) : SimulatedMedium.file(page);
      MediumCopy.copySparsely(medium.processKill(), copy);
      Heap heap = SETUP.open(copy);
      copy.faults().fillDisk(page);
      long acknowledged = 0;
      try {
        for (; acknowledged < 400; acknowledged++) {
          map(heap).put(acknowledged, acknowledged);
        }
        heap.checkpoint();
      } catch (EverheapException | InternalError e) { // the latter from a store to a hole
        assertThat(e).hasStackTraceContaining("no space");
      }
      copy.faults().freeSpace();
      for (SimulatedMedium left :
          List.of(
              copy.processKill(), copy.powerLoss(Chooser.none()), copy.powerLoss(Chooser.all()))) {
        try (Heap again = SETUP.open(left)) {
          assertThat((long) map(again).size()).isBetween(acknowledged + 1, acknowledged + 2);
          SETUP.verify(again);
        }
      }
    }
  }

  @Test
  void aCutWriteLosesNothingAcknowledged() {
    for (int write = 1; write < 12; write++) {
      int nth = write;
      everyFault(medium -> medium.faults().cutWrite(nth));
    }
  }

  /** The home file could not be cut, or it was and its checksums could not. */
  @Test
  void aHeapThatCouldNotBeCutGrowsAgain() {
    for (int resize = 1; resize <= 2; resize++) {
      SimulatedMedium medium = SimulatedMedium.file(resize);
      Heap heap = SETUP.open(medium);
      DurableMap<Long, byte[]> values = values(heap);
      fill(heap);
      heap.checkpoint();
      values.clear();
      medium.faults().failResize(resize);
      assertThatThrownBy(heap::shrink).isInstanceOf(EverheapException.class);
      fill(heap);
      assertThat(values).hasSize(10);
      SETUP.verify(heap);
      List<SimulatedMedium> left = new ArrayList<>();
      left.add(medium.processKill());
      left.add(medium.powerLoss(Chooser.none()));
      heap.checkpoint();
      left.add(medium.powerLoss(Chooser.none()));
      heap.close();
      left.add(medium.powerLoss(Chooser.none()));
      for (SimulatedMedium each : left) {
        try (Heap again = SETUP.open(each)) {
          assertThat(values(again)).hasSize(10);
          SETUP.verify(again);
        }
      }
    }
  }

  @Test
  void damageInTheLogBeforeAnAcknowledgedCommitIsNamedAndNeverSilent() {
    SimulatedMedium medium = SimulatedMedium.file(4);
    Heap heap = SETUP.open(medium);
    Map<Long, Long> expected = new HashMap<>();
    for (long i = 0; i < 20; i++) {
      map(heap).put(i, i);
      expected.put(i, i);
    }
    CrashImage image = medium.image();
    heap.close();
    for (int at = 4096; at < 8192; at += 61) {
      SimulatedMedium damaged = image.powerLoss(Chooser.none());
      for (String name : damaged.list("log")) {
        damaged.flipBit("log/" + name, at, at % 8);
      }
      refusesOrHolds(damaged, expected);
    }
  }

  @Test
  void aReaderSeesWhatRecoveryWouldFindAndWritesNothing() {
    for (SimulatedMedium medium :
        new SimulatedMedium[] {SimulatedMedium.file(5), SimulatedMedium.dax(5)}) {
      Heap heap = SETUP.open(medium);
      for (long i = 0; i < 20; i++) {
        map(heap).put(i, i);
      }
      Map<Long, Long> expected = new HashMap<>(map(heap));
      SimulatedMedium reader = medium.image().readOnly();
      heap.close();

      try (Heap again = SETUP.open(reader)) {
        assertThat(map(again)).isEqualTo(expected);
      }

      assertThat(reader.points()).isZero();
    }
  }

  private static void refusesOrHolds(SimulatedMedium damaged, Map<Long, Long> expected) {
    try (Heap again = SETUP.open(damaged)) {
      assertThat(map(again)).isEqualTo(expected);
    } catch (EverheapException e) {
      assertThat(e).hasMessageContaining("log");
    }
  }

  /** Works on both kinds of storage until something fails, and looks for what was acknowledged. */
  private static void everyFault(Consumer<SimulatedMedium> fault) {
    survives(SimulatedMedium.file(2), fault);
    survives(SimulatedMedium.dax(2), fault);
  }

  private static void survives(SimulatedMedium medium, Consumer<SimulatedMedium> fault) {
    Map<Long, Long> acknowledged = new HashMap<>();
    Heap heap = SETUP.open(medium);
    DurableMap<Long, Long> map = map(heap);
    long next = 0;
    for (; next < 20; next++) {
      map.put(next, next);
      acknowledged.put(next, next);
    }
    fault.accept(medium);
    try {
      for (; next < 60; next++) {
        map.put(next, next);
        acknowledged.put(next, next);
        if (next % 7 == 0) {
          heap.checkpoint();
        }
      }
      heap.transact(() -> heap.map("large", Long.class, byte[].class).put(1L, new byte[600_000]));
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
    }
    long uncertain = next;
    medium.faults().freeSpace();
    for (SimulatedMedium after :
        new SimulatedMedium[] {
          medium.processKill(), medium.powerLoss(Chooser.none()), medium.powerLoss(Chooser.all())
        }) {
      try (Heap again = SETUP.open(after)) {
        Map<Long, Long> found = new HashMap<>(map(again));
        if (!acknowledged.containsKey(uncertain)) {
          found.remove(uncertain); // its commit failed, and its outcome is open
        }
        assertThat(found).isEqualTo(acknowledged);
        SETUP.verify(again);
      }
    }
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }
}
