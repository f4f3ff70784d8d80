package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What is left in shards that a store does not use any more must not count when it uses them. */
final class ReshardedStores {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final long KEYS = 100;
  private static final long PAIRS = 30;

  private ReshardedStores() {}

  private static ShardedStore open(SimulatedMedium medium) {
    return MediumSetting.withoutThreads(
            MediumSetting.medium(
                ShardedStore.builder(Path.of(medium.location()))
                    .shards(4)
                    .durability(LATER)
                    .heaps(heap -> HeapSettings.options(heap, SimulatedHeaps.options(LATER))),
                medium))
        .open();
  }

  private static ShardedMap<Long, Long> map(ShardedStore store) {
    return store.map("map", Long.class, Long.class);
  }

  static void removedKeysDoNotComeBack() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (ShardedStore store = open(medium)) {
      ShardedMap<Long, Long> map = map(store);
      for (long key = 0; key < KEYS; key++) {
        map.put(key, 1L);
      }
      store.sync();
      AtomicBoolean removed = new AtomicBoolean();
      store.reshard(
          2,
          (done, total) -> {
            for (long key = 0; key < KEYS && !removed.get(); key++) {
              map.remove(key);
            }
            removed.set(true);
          });
      SimulatedMedium lost = medium.powerLoss(Chooser.none());
      try (ShardedStore next = open(lost)) {
        for (long key = 0; key < KEYS; key++) {
          map(next).put(key, 2L);
        }
        next.sync();
        next.reshard(4);
        List<Long> values = new ArrayList<>();
        map(next).forEach((key, value) -> values.add(value));
        assertThat(values).hasSize((int) KEYS).containsOnly(2L);
        assertThat(next.verify().problems()).isEmpty();
      }
    }
  }

  static void outcomesOfEarlierBatchesDoNotCount() {
    SimulatedMedium smaller;
    SimulatedMedium medium = SimulatedMedium.file(2);
    try (ShardedStore store = open(medium)) {
      batches(store, 1);
      store.reshard(2);
      smaller = medium.powerLoss(Chooser.none());
    }
    int crashes = 0;
    while (crashes(smaller.powerLoss(Chooser.none()), crashes + 1)) {
      crashes++;
    }
    assertThat(crashes).isGreaterThan(20);
  }

  /** Whether a program that uses all shards again crashes at a point; checks what is left then. */
  private static boolean crashes(SimulatedMedium medium, long at) {
    try (ShardedStore store = open(medium)) {
      store.reshard(4);
      medium.dieAt(medium.points() + at);
      batches(store, 2);
      return false;
    } catch (RuntimeException | Error e) {
      try (ShardedStore found = open(medium.powerLoss(Chooser.none()))) {
        for (long pair = 0; pair < PAIRS; pair++) {
          assertThat(map(found).get(2 * pair))
              .as("pair %s after a crash at %s", pair, at)
              .isEqualTo(map(found).get(2 * pair + 1));
        }
      }
      return true;
    }
  }

  private static void batches(ShardedStore store, long value) {
    ShardedMap<Long, Long> map = map(store);
    for (long pair = 0; pair < PAIRS; pair++) {
      store.batch().put(map, 2 * pair, value).put(map, 2 * pair + 1, value).commit();
    }
  }
}
