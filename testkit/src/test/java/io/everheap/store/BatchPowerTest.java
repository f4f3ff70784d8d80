package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.SimulatedStores;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Batches across the shards of a store whose machine loses its power between any two steps. */
@Campaign
class BatchPowerTest {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final int SHARDS = 3;

  private static ShardedStore open(SimulatedMedium medium, Durability durability) {
    return SimulatedStores.open(medium, SHARDS, durability);
  }

  private static ShardedMap<Integer, Integer> map(ShardedStore store) {
    return store.map("map", Integer.class, Integer.class);
  }

  /** The first key from a number on that belongs to a shard. */
  private static int key(ShardedStore store, int shard, int from) {
    int key = from;
    while (store.placement().target(Placement.slot(map(store).encodeKey(key))) != shard) {
      key++;
    }
    return key;
  }

  /** Sets one key of each shard to a value, together. */
  private static void batch(ShardedStore store, int value) {
    StoreBatch batch = store.batch();
    for (int shard = 0; shard < SHARDS; shard++) {
      batch.put(map(store), key(store, shard, 0), value);
    }
    batch.commit();
  }

  /** The value of the keys, which all have the same one. */
  private static Integer value(ShardedStore store) {
    Set<Integer> values = new HashSet<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      values.add(map(store).get(key(store, shard, 0)));
    }
    assertThat(values).as("a batch is whole").hasSize(1);
    return values.iterator().next();
  }

  /** Intents and outcomes. */
  private static long unfinished(ShardedStore store) {
    return store.shards().stream().mapToLong(Batches::unfinished).sum();
  }

  /** Opens what a crash left; returns the value, which the next power loss does not change. */
  private static Integer recovered(SimulatedMedium left) {
    Integer value;
    SimulatedMedium again;
    try (ShardedStore store = open(left, LATER)) {
      assertThat(unfinished(store)).isZero();
      value = value(store);
      again = left.powerLoss(Chooser.none());
    }
    try (ShardedStore store = open(again, LATER)) {
      assertThat(value(store)).isEqualTo(value);
    }
    return value;
  }

  /** A store with the value 1, durably. */
  private static ShardedStore begun(SimulatedMedium medium, Durability durability) {
    ShardedStore store = open(medium, durability);
    batch(store, 1);
    store.batches().endAll();
    store.sync();
    return store;
  }

  /** The states of the machine before each of the steps that make something durable. */
  private static List<CrashImage> images(SimulatedMedium medium, Runnable action) {
    List<CrashImage> images = new ArrayList<>();
    medium.observe(
        point -> {
          if (point.kind().persists()) {
            images.add(medium.image());
          }
        });
    action.run();
    medium.observe(point -> {});
    images.add(medium.image());
    return images;
  }

  @Test
  void aBatchIsWholeAfterAPowerLossAtAnyStep() {
    for (Durability durability : List.of(Durability.SYNC, LATER)) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      try (ShardedStore store = begun(medium, durability)) {
        List<Integer> values = new ArrayList<>();
        for (CrashImage image : images(medium, () -> batch(store, 2))) {
          values.add(recovered(image.powerLoss(Chooser.none())));
          recovered(image.powerLoss(Chooser.all()));
        }
        assertThat(values).isSorted();
        assertThat(values.getFirst()).isEqualTo(1);
        assertThat(values.getLast()).isEqualTo(2); // the outcome is durable
      }
    }
  }

  /** The shards become durable in any order after a batch, and each could be the only one. */
  @Test
  void aBatchIsWholeWhicheverShardIsDurableFirst() {
    for (int shard = 0; shard < SHARDS; shard++) {
      for (int batches : new int[] {1, 2, 64, 65}) {
        SimulatedMedium medium = SimulatedMedium.file(shard);
        try (ShardedStore store = begun(medium, LATER)) {
          for (int i = 0; i < batches; i++) {
            batch(store, 2 + i);
          }
          store.shard(shard).heap.sync();
          assertThat(recovered(medium.powerLoss(Chooser.none()))).isEqualTo(1 + batches);
        }
      }
    }
  }

  /** A batch that waits for the disk is durable in each shard before its outcome is removed. */
  @Test
  void anOutcomeIsKeptUntilTheOtherShardsAreDurable() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (ShardedStore store = begun(medium, Durability.SYNC)) {
      batch(store, 2);
      assertThat(unfinished(store)).isZero();
      store.shard(0).heap.sync(); // the removal of the outcome is durable
      assertThat(recovered(medium.powerLoss(Chooser.none()))).isEqualTo(2);
    }
  }

  /** Batches that do not wait for the disk end together. */
  @Test
  void outcomesAreRemovedWhen64BatchesEnded() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (ShardedStore store = begun(medium, LATER)) {
      for (int i = 1; i < 64; i++) {
        batch(store, i);
        assertThat(unfinished(store)).isEqualTo(i);
      }
      batch(store, 64);
      assertThat(unfinished(store)).isZero();
      batch(store, 65);
      assertThat(unfinished(store)).isEqualTo(1);
    }
    try (ShardedStore store = open(medium.processKill(), LATER)) { // it was closed
      assertThat(unfinished(store)).isZero();
    }
  }

  /** Ids are used again after an opening: the outcome of an earlier batch must not decide. */
  @Test
  void anEarlierOutcomeDoesNotDecide() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    SimulatedMedium left;
    try (ShardedStore _ = begun(medium, LATER)) {
      left = medium.powerLoss(Chooser.none());
    }
    try (ShardedStore store = open(left, LATER)) {
      batch(store, 2); // the first of this opening, like the next one
      left = left.powerLoss(Chooser.none());
    }
    try (ShardedStore store = open(left, LATER)) {
      SimulatedMedium now = left;
      List<CrashImage> images = images(now, () -> batch(store, 3));
      List<Integer> values = new ArrayList<>();
      for (CrashImage image : images) {
        values.add(recovered(image.powerLoss(Chooser.none())));
      }
      assertThat(values).isSorted().startsWith(2).endsWith(3);
    }
  }
}
