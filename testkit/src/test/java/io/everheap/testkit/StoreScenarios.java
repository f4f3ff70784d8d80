package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.store.StoreBatch;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in the store. */
public final class StoreScenarios {
  private static final int SEEDS = 2 * Integer.getInteger("everheap.crash.effort", 1);

  private StoreScenarios() {}

  public static void file() {
    explore(true, 1, SEEDS);
  }

  /** More of the same, for what few moments show. */
  public static void moreFile() {
    explore(true, SEEDS + 1, 6 * SEEDS);
  }

  public static void async() {
    explore(false, 1, SEEDS);
  }

  public static void removed() {
    ReshardedStores.removedKeysDoNotComeBack();
  }

  public static void moving() {
    ReshardedStores.aRemovedKeyDoesNotComeBackBehindALaterWrite();
  }

  /** Parts of other sessions. */
  public static void sessions() {
    MixedStores stores = new MixedStores(null);
    stores.stops(2);
    stores.putsBack(7);
    stores.mixes(600, 1);
  }

  public static void unused() {
    new MixedStores(null).unusedShard();
  }

  /** A batch over several shards, after which none has an intent. */
  public static void intents() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (ShardedStore store = SimulatedStores.open(medium, 2, Durability.SYNC)) {
      ShardedMap<Long, Long> map = store.map("m", Long.class, Long.class);
      StoreBatch batch = store.batch();
      for (long key = 0; key < 20; key++) {
        batch.put(map, key, key);
      }
      batch.commit();
    }
    var shard = new SubdirectoryMedium(medium.processKill(), "shard-0001");
    HeapBuilder builder =
        HeapSettings.options(
            Heap.builder(Path.of(medium.location())).readOnly(),
            SimulatedHeaps.options(Durability.SYNC));
    try (Heap heap = MediumSetting.medium(builder, shard).open()) {
      assertThat(heap.map("everheap.intents", Long.class, byte[].class)).isEmpty();
    }
  }

  public static void backups() {
    List<Explorer.Effort> efforts = List.of(new Explorer.Effort(3, 16, 3));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new StoreBackupProcess(true, seed, 8), SimulatedMedium.file(seed));
    }
  }

  private static void explore(boolean sync, int first, int last) {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 40, 3), new Explorer.Effort(1, 1, 1));
    for (int seed = first; seed <= last; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new StoreProcess(sync, seed, 8), SimulatedMedium.file(seed));
    }
  }
}
