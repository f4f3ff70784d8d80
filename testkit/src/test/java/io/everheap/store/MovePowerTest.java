package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.store.Changes.Change;
import io.everheap.store.ValueCodec.Raw;
import io.everheap.testkit.SimulatedStores;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys that move between shards of which only one is durable when the power is lost. */
class MovePowerTest {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));

  private final SimulatedMedium medium = SimulatedMedium.file(1);

  private static ShardedStore open(SimulatedMedium medium, int shards) {
    return SimulatedStores.open(medium, shards, LATER);
  }

  private static ShardedMap<Integer, Integer> map(ShardedStore store) {
    return store.map("map", Integer.class, Integer.class);
  }

  private static int slot(ShardedStore store, int key) {
    return Placement.slot(map(store).encodeKey(key));
  }

  /** A key of the second of two shards. */
  private static int key(ShardedStore store) {
    int key = 0;
    while (new Placement(2, 2).target(slot(store, key)) != 1) {
      key++;
    }
    return key;
  }

  /** Puts a key into the second of two shards, and begins to move it to the first. */
  private static int begin(ShardedStore store) {
    int key = key(store);
    map(store).put(key, 1);
    store.sync();
    synchronized (store.structure) {
      store.place(new Placement(2, 1));
    }
    return key;
  }

  private static void move(ShardedStore store, int key) {
    Moves.move(
        store,
        Moves.Parts.of(store.shard(1), store.shard(0), "map", false),
        List.of(map(store).encodeKey(key)));
  }

  /** The value of a key after the power was lost, at once and when all keys have moved. */
  private Integer afterPowerLoss(int key) {
    try (ShardedStore store = open(medium.powerLoss(Chooser.none()), 1)) {
      Integer value = map(store).get(key);
      store.reshard(1);
      assertThat(map(store).get(key)).isEqualTo(value);
      return value;
    }
  }

  @Test
  void aCopyIsDurableBeforeTheKeyIsRemovedFromItsSource() {
    try (ShardedStore store = open(medium, 2)) {
      int key = begin(store);
      move(store, key);
      store.shard(1).heap.sync();
      assertThat(afterPowerLoss(key)).isEqualTo(1);
    }
  }

  @Test
  void aMovedKeyIsDurablyRemovedFromItsSource() {
    try (ShardedStore store = open(medium, 2)) {
      int key = begin(store);
      move(store, key);
      map(store).remove(key);
      store.shard(0).heap.sync();
      assertThat(afterPowerLoss(key)).isNull();
    }
  }

  /** A crash left the key in both shards. */
  @Test
  void aWriterRemovesTheOldCopyDurably() {
    try (ShardedStore store = open(medium, 2)) {
      int key = begin(store);
      new Change("map", false, map(store).encodeKey(key), new Raw(map(store).encode(1).bytes()))
          .apply(store.shard(0));
      assertThat(map(store).remove(key)).isEqualTo(1);
      store.shard(0).heap.sync();
      assertThat(afterPowerLoss(key)).isNull();
    }
  }

  /** A shard that is not used any longer must not bring back a key that was removed. */
  @Test
  void aKeyThatWasRemovedBesideTheMoveDoesNotComeBackWithItsShard() {
    try (ShardedStore store = open(medium, 2)) {
      int key = key(store);
      map(store).put(key, 1);
      store.sync();
      store.reshard(1, (done, total) -> map(store).remove(key));
      assertThat(map(store).get(key)).isNull();
      try (ShardedStore next = open(medium.powerLoss(Chooser.none()), 1)) {
        map(next).put(key, 2);
        next.sync();
        next.reshard(2);
        assertThat(map(next).get(key)).isEqualTo(2);
        assertThat(map(next).sizeLong()).isEqualTo(1);
      }
    }
  }

  /** An outcome in such a shard would decide a batch that uses its number again. */
  @Test
  void outcomesAreRemovedFromShardsThatAreNotUsedAnyLonger() {
    try (ShardedStore store = open(medium, 3)) {
      int second = key(store, 1);
      int third = key(store, 2);
      store.batch().put(map(store), second, 1).put(map(store), third, 1).commit();
      assertThat(Batches.unfinished(store.shard(1))).isEqualTo(1);
      store.reshard(1);
      try (ShardedStore next = open(medium.powerLoss(Chooser.none()), 1)) {
        next.reshard(3);
        assertThat(next.shards().stream().mapToLong(Batches::unfinished).sum()).isZero();
        assertThat(map(next).get(second)).isEqualTo(1);
        assertThat(map(next).get(third)).isEqualTo(1);
      }
    }
  }

  private static int key(ShardedStore store, int shard) {
    int key = 0;
    while (store.placement().target(slot(store, key)) != shard) {
      key++;
    }
    return key;
  }
}
