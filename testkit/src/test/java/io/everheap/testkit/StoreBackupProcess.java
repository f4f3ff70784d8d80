package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.store.SimulatedBackups;
import io.everheap.store.StoreBackup;
import io.everheap.store.StoreBackups;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * A process that backs up a store beside it, and writes batches across its shards while that goes
 * on. A backup is the store at one moment, and those that were complete are there after a crash.
 */
final class StoreBackupProcess implements SimulatedProcess {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final int KEYS = 24;
  private static final int GROUPS = 3;

  private final boolean sync;
  private final long seed;
  private final int steps;

  /** The contents of the backups that were complete, by their names; replaced, not changed. */
  private volatile Map<String, Map<Long, Long>> complete;

  StoreBackupProcess(boolean sync, long seed, int steps) {
    this(sync, seed, steps, Map.of());
  }

  private StoreBackupProcess(
      boolean sync, long seed, int steps, Map<String, Map<Long, Long>> complete) {
    this.sync = sync;
    this.seed = seed;
    this.steps = steps;
    this.complete = complete;
  }

  @Override
  public Promise promise() {
    Map<String, Map<Long, Long>> known = complete;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        return new StoreBackupProcess(sync, next, Math.min(steps, 6), known);
      }

      @Override
      public Object key() {
        return known.keySet();
      }
    };
  }

  private Durability durability() {
    return sync ? Durability.SYNC : LATER;
  }

  private ShardedStore open(SimulatedMedium medium, String directory) {
    return SimulatedStores.open(new SubdirectoryMedium(medium, directory), 2, durability());
  }

  private static ShardedMap<Long, Long> map(ShardedStore store) {
    return store.map("map", Long.class, Long.class);
  }

  @Override
  public void run(SimulatedMedium medium) {
    Random random = new Random(seed);
    StoreBackups backups = SimulatedBackups.in(medium, "backups");
    for (StoreBackup backup : backups.list()) {
      restore(backups, backup, medium);
    }
    assertThat(backups.list()).extracting(StoreBackup::name).containsAll(complete.keySet());
    try (ShardedStore store = open(medium, "live")) {
      checkGroups(contents(store));
      for (int i = 0; i < steps; i++) {
        switch (random.nextInt(6)) {
          case 0 -> store.reshard(1 + random.nextInt(4));
          case 1 -> {
            String full = backups.take(store).name();
            complete = Map.of(); // the others are about to be deleted
            var _ = backups.keep(1);
            assertThat(backups.list()).extracting(StoreBackup::name).containsExactly(full);
          }
          case 2, 3 -> backUp(store, backups, medium, random);
          default -> batch(store, random);
        }
      }
    }
  }

  private void backUp(
      ShardedStore store, StoreBackups backups, SimulatedMedium medium, Random random) {
    Backup.Kind kind =
        backups.list().isEmpty() || random.nextInt(3) == 0
            ? Backup.Kind.FULL
            : Backup.Kind.INCREMENTAL;
    Map<Long, Long> expected = new HashMap<>();
    int[] writes = {6};
    BackupProgress progress =
        (what, part) -> {
          if (what.endsWith("log") && expected.isEmpty()) {
            expected.putAll(contents(store)); // the moment is over
          }
          if (writes[0] > 0 && random.nextBoolean()) {
            writes[0]--;
            batch(store, random);
          }
        };
    batch(store, random);
    StoreBackup backup = backups.take(store, kind, 0, progress);
    Map<String, Map<Long, Long>> more = new HashMap<>(complete);
    more.put(backup.name(), expected);
    complete = Map.copyOf(more);
    restore(backups, backup, medium);
  }

  private void restore(StoreBackups backups, StoreBackup backup, SimulatedMedium medium) {
    SimulatedMedium target =
        medium.byteAddressable() ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    SimulatedBackups.restore(
        backups, backup, target, "restored", SimulatedHeaps.options(durability()));
    try (ShardedStore store = open(target.processKill(), "restored")) {
      assertThat(store.verify().ok()).as(backup.name()).isTrue();
      Map<Long, Long> found = contents(store);
      checkGroups(found);
      Map<Long, Long> expected = complete.get(backup.name());
      if (expected != null) {
        assertThat(found).as(backup.name()).isEqualTo(expected);
      }
    }
  }

  private static Map<Long, Long> contents(ShardedStore store) {
    Map<Long, Long> found = new HashMap<>();
    map(store).forEach(found::put);
    return found;
  }

  private static void checkGroups(Map<Long, Long> found) {
    for (long group = 0; group < GROUPS; group++) {
      Long first = found.get(group);
      for (long key = group; key < KEYS; key += GROUPS) {
        assertThat(found.get(key)).as("key %s", key).isEqualTo(first);
      }
    }
  }

  private static void batch(ShardedStore store, Random random) {
    var batch = store.batch();
    long value = random.nextLong(1, 1000);
    for (long key = random.nextInt(GROUPS); key < KEYS; key += GROUPS) {
      batch.put(map(store), key, value);
    }
    batch.commit();
  }
}
