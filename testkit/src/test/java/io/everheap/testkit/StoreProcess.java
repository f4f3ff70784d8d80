package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.encryption.KeyProvider;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.store.StoreBatch;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A process that writes to two maps of a store, alone and in batches across shards, changes the
 * number of shards, and compares the store with a model. With {@link Durability#SYNC} the whole
 * store is one of the states of the model; else each group of keys that only batches write is.
 */
final class StoreProcess implements SimulatedProcess {
  private static final Durability LATER = Durability.async(java.time.Duration.ofHours(1));
  private static final int KEYS = 24;
  private static final int GROUPS = 3;

  private final boolean sync;
  private final long seed;
  private final int steps;
  private final @Nullable KeyProvider key;
  private final Ledger<Map<Long, Long>> ledger;

  StoreProcess(boolean sync, long seed, int steps) {
    this(sync, seed, steps, null);
  }

  /** With the key of an encrypted store, or null. */
  StoreProcess(boolean sync, long seed, int steps, @Nullable KeyProvider key) {
    this(sync, seed, steps, key, Ledger.Before.of(Map.of()));
  }

  private StoreProcess(
      boolean sync,
      long seed,
      int steps,
      @Nullable KeyProvider key,
      Ledger.Before<Map<Long, Long>> before) {
    this.key = key;
    this.sync = sync;
    this.seed = seed;
    this.steps = steps;
    this.ledger = new Ledger<>(before, sync);
  }

  @Override
  public Promise promise() {
    if (sync) {
      return ledger.promise((next, before) -> new StoreProcess(true, next, steps, key, before));
    }
    return new Groups(steps, key);
  }

  /** Each group has one value, whichever it is. */
  private record Groups(int steps, @Nullable KeyProvider provider) implements Promise {
    @Override
    public SimulatedProcess successor(boolean powerLost, long seed) {
      return new StoreProcess(false, seed, steps, provider);
    }
  }

  @Override
  public void run(SimulatedMedium medium) {
    var random = new Random(seed);
    Durability durability = sync ? Durability.SYNC : LATER;
    try (ShardedStore store = SimulatedStores.open(medium, 2, durability, key)) {
      ShardedMap<Long, Long> map = store.map("map", Long.class, Long.class);
      ShardedMap<Long, Long> sorted = store.sortedMap("sorted", Long.class, Long.class);
      assertThat(store.verify().problems()).isEmpty();
      Map<Long, Long> found = contents(map, sorted);
      if (sync) {
        ledger.opened(found);
      } else {
        checkGroups(found);
      }
      work(store, List.of(map, sorted), new TreeMap<>(found), random);
      assertThat(store.verify().ok()).isTrue();
    }
  }

  private static void checkGroups(Map<Long, Long> found) {
    for (long group = 0; group < GROUPS; group++) {
      long first = found.getOrDefault(group, 0L);
      for (long key = group; key < KEYS; key += GROUPS) {
        assertThat(found.getOrDefault(key, 0L)).as("key %s", key).isEqualTo(first);
      }
    }
  }

  /** Even keys are in the map, odd ones in the sorted map. */
  private static Map<Long, Long> contents(
      ShardedMap<Long, Long> map, ShardedMap<Long, Long> sorted) {
    Map<Long, Long> found = new TreeMap<>();
    for (long key = 0; key < KEYS; key++) {
      Long value = (key % 2 == 0 ? map : sorted).get(key);
      if (value != null) {
        found.put(key, value);
      }
    }
    long entries = map.asMap().size() + (long) sorted.asMap().size();
    assertThat(entries).isGreaterThanOrEqualTo(found.size());
    return found;
  }

  private void work(
      ShardedStore store, List<ShardedMap<Long, Long>> maps, Map<Long, Long> model, Random random) {
    for (int i = 0; i < steps; i++) {
      switch (random.nextInt(sync ? 8 : 6)) {
        case 0 -> store.reshard(1 + random.nextInt(4));
        case 1, 2, 3, 4 -> batch(store, maps, model, random);
        case 5 -> {
          if (random.nextInt(4) == 0) {
            store.sync();
          }
        }
        case 6 -> {
          long key = random.nextInt(KEYS);
          model.remove(key);
          ledger.announce(new TreeMap<>(model));
          maps.get((int) key % 2).remove(key);
          ledger.committed();
        }
        default -> {
          long key = random.nextInt(KEYS);
          long value = random.nextInt(1000);
          model.put(key, value);
          ledger.announce(new TreeMap<>(model));
          maps.get((int) key % 2).put(key, value);
          ledger.committed();
        }
      }
      assertThat(contents(maps.get(0), maps.get(1))).isEqualTo(model);
    }
  }

  private void batch(
      ShardedStore store, List<ShardedMap<Long, Long>> maps, Map<Long, Long> model, Random random) {
    StoreBatch batch = store.batch();
    boolean removes = random.nextInt(4) == 0;
    long value = random.nextLong(1, 1001);
    for (long key = random.nextInt(GROUPS); key < KEYS; key += GROUPS) {
      ShardedMap<Long, Long> map = maps.get((int) key % 2);
      if (removes) {
        batch.remove(map, key);
        model.remove(key);
      } else {
        batch.put(map, key, value);
        model.put(key, value);
      }
    }
    ledger.announce(new TreeMap<>(model));
    batch.commit();
    ledger.committed();
  }
}
