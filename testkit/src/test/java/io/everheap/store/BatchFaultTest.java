package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.Durability;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.testkit.HookedMedium;
import io.everheap.testkit.SimulatedStores;
import io.everheap.testkit.Threads;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches across shards of which one fails, or whose keys begin to move. */
class BatchFaultTest {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final int SHARDS = 3;
  private static final byte[] OLD = {1};
  private static final byte[] NEW = {2};

  private final SimulatedMedium medium = SimulatedMedium.file(1);
  private final Disk disk = new Disk();

  /** Fails what makes the log of a shard durable, or runs something before it. */
  private static final class Disk implements HookedMedium.Hook {
    private volatile int broken = -1;
    private volatile @Nullable Runnable beforeLog;
    private volatile @Nullable Runnable beforeDescriptor;

    @Override
    public void before(String call, String file) {
      Runnable descriptor = beforeDescriptor;
      if (file.equals("store.new") && call.equals("rename") && descriptor != null) {
        beforeDescriptor = null;
        descriptor.run();
      }
      if (!file.contains("/log") || !(call.equals("writeDurably") || call.equals("sync"))) {
        return;
      }
      Runnable log = beforeLog;
      if (log != null) {
        log.run();
      }
      if (file.startsWith(String.format(Locale.ROOT, "shard-%04d/", broken))) {
        throw new MediumException("the disk of " + file + " is broken", null);
      }
    }
  }

  private ShardedStore open(Durability durability) {
    ShardedStore store = SimulatedStores.open(HookedMedium.of(medium, disk), SHARDS, durability);
    batch(store, OLD, OLD, OLD).commit();
    store.sync();
    return store;
  }

  private static ShardedMap<Integer, byte[]> map(ShardedStore store) {
    return store.map("map", Integer.class, byte[].class);
  }

  /** A key of a shard. */
  private static int key(ShardedStore store, int shard) {
    int key = 0;
    while (store.placement().target(Placement.slot(map(store).encodeKey(key))) != shard) {
      key++;
    }
    return key;
  }

  /** A batch that gives a key of each shard a value. */
  private static StoreBatch batch(ShardedStore store, byte[]... values) {
    StoreBatch batch = store.batch();
    for (int shard = 0; shard < SHARDS; shard++) {
      batch.put(map(store), key(store, shard), values[shard]);
    }
    return batch;
  }

  private static void requireAll(ShardedStore store, byte[] value) {
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(map(store).get(key(store, shard))).as("shard %s", shard).isEqualTo(value);
    }
  }

  private static long intents(ShardedStore store, int... shards) {
    long sum = 0;
    for (int shard : shards) {
      sum += Batches.unfinished(store.shard(shard));
    }
    return sum;
  }

  @Test
  void aBatchWhoseIntentsCannotBecomeDurableChangesNothing() {
    ShardedStore store = open(LATER);
    store.batches().endAll();
    ShardedMap<Integer, byte[]> map = map(store);
    int first = key(store, 0);
    int last = key(store, 2);
    StoreBatch batch = batch(store, NEW, NEW, NEW);
    assertThat(map.get(last)).isEqualTo(OLD); // this map knows its part of each shard
    disk.broken = 1;
    Throwable thrown = catchThrowable(batch::commit);
    assertThat(thrown).isInstanceOf(EverheapException.class);
    assertThat(thrown.getSuppressed()).as("of dropping the intent of that shard").isNotEmpty();
    assertThat(intents(store, 2)).as("the intent of the other shard is dropped").isZero();
    assertThat(map.get(first)).isEqualTo(OLD);
    assertThat(map.get(last)).isEqualTo(OLD);
    requireAfterKill(store, OLD);
  }

  /** Whether the outcome is durable is not known: no one may see one half, or write to it. */
  @Test
  void aBatchWhoseOutcomeMayBeDurableStopsTheStore() {
    ShardedStore store = open(LATER);
    store.batches().endAll();
    ShardedMap<Integer, byte[]> map = map(store);
    int last = key(store, 2);
    map.get(last); // later reads of its shard need no other shard
    disk.broken = 0;
    assertThatThrownBy(() -> batch(store, NEW, NEW, NEW).commit())
        .isInstanceOf(EverheapException.class);
    assertThatThrownBy(() -> map.get(last)).isInstanceOf(StoppedException.class);
    assertThatThrownBy(() -> map.put(last, NEW)).isInstanceOf(StoppedException.class);
    assertThatThrownBy(store::sync).isInstanceOf(StoppedException.class);
    requireAfterKill(store, NEW); // the outcome is in the page cache
  }

  private void requireAfterKill(ShardedStore store, byte[] value) {
    SimulatedMedium left = medium.processKill();
    Throwable atClose = catchThrowable(store::close);
    assertThat(atClose == null || atClose instanceof EverheapException).isTrue();
    try (ShardedStore found = SimulatedStores.open(left, SHARDS, LATER)) {
      requireAll(found, value);
      assertThat(intents(found, 0, 1, 2)).isZero();
    }
  }

  // ---- Moves ---------------------------------------------------------------------------------

  /** What moving keys lost must be durable before another writer finds them elsewhere. */
  @Test
  void aBatchOfMovingKeysIsDurableBeforeItsTurnsEnd() {
    try (ShardedStore store = open(Durability.SYNC)) {
      ShardedMap<Integer, byte[]> map = map(store);
      for (int key = 0; key < 50; key++) {
        map.put(key, OLD);
      }
      synchronized (store.structure) {
        store.place(new Placement(SHARDS, 1));
      }
      for (boolean several : new boolean[] {false, true}) {
        int moving = several ? key(store.placement(), map, 1) : key(store.placement(), map, 2);
        StoreBatch batch = store.batch().remove(map, moving);
        if (several) {
          batch.put(map, key(store.placement(), map, 0), NEW);
        }
        Shard source = store.shard(several ? 1 : 2);
        List<Long> versions = new ArrayList<>();
        disk.beforeLog = () -> versions.add(source.version());
        batch.commit();
        disk.beforeLog = null;
        assertThat(versions).isNotEmpty().allMatch(version -> version % 2 == 1);
        assertThat(map.get(moving)).isNull();
      }
    }
  }

  private static int key(Placement placement, ShardedMap<Integer, byte[]> map, int source) {
    int key = 0;
    while (placement.source(Placement.slot(map.encodeKey(key))) != source) {
      key++;
    }
    return key;
  }

  /** The keys of the batch belong to other shards when it gets its turn. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aBatchThatWaitedWhileThePlacementChangedIsCommitted(int shards) {
    try (ShardedStore store = open(LATER)) {
      ShardedMap<Integer, byte[]> map = map(store);
      StoreBatch batch = store.batch();
      for (int shard = 0; shard < shards; shard++) {
        batch.put(map, key(store, shard), NEW);
      }
      AtomicReference<CompletableFuture<Void>> waiting = new AtomicReference<>();
      disk.beforeDescriptor =
          () -> {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            waiting.set(
                Threads.start(
                    () -> {
                      thread.complete(Thread.currentThread());
                      batch.commit();
                    }));
            Threads.awaitWaiting(thread.join(), "Operation");
          };
      List<Integer> keys = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        keys.add(key(store, shard));
      }
      synchronized (store.structure) {
        store.grow(4);
        store.place(new Placement(SHARDS, 4));
      }
      assertThat(waiting.get()).succeedsWithin(io.everheap.support.Limit.limit());
      assertThat(keys).allSatisfy(key -> assertThat(map.get(key)).isEqualTo(NEW));
      store.reshard(4);
      assertThat(store.verify().problems()).isEmpty();
      assertThat(keys).allSatisfy(key -> assertThat(map.get(key)).isEqualTo(NEW));
    }
  }
}
