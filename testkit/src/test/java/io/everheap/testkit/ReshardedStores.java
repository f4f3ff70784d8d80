package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What is left in shards that a store does not use any more must not count when it uses them. */
final class ReshardedStores {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final long KEYS = 100;
  private static final long PAIRS = 30;

  private ReshardedStores() {}

  private static ShardedStore open(SimulatedMedium medium) {
    return SimulatedStores.open(medium, 4, LATER);
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

  /**
   * A removal of a key that moves is durable before another thread can put the key into the shard
   * where it belongs, and remove it there.
   */
  static void aRemovedKeyDoesNotComeBackBehindALaterWrite() {
    for (long key = 0; key < 8; key++) {
      removeWhileItMoves(key);
    }
  }

  private static void removeWhileItMoves(long key) {
    SimulatedMedium medium = SimulatedMedium.file(key);
    Hold hold = new Hold(medium);
    try (ShardedStore store =
        SimulatedStores.open(HookedMedium.of(medium, hold), 1, Durability.SYNC)) {
      store.map("first", Long.class, Long.class).put(1L, 1L);
      ShardedMap<Long, Long> map = store.map("second", Long.class, Long.class);
      map.put(key, 1L);
      store.reshard(
          2,
          (done, total) -> { // first behind the first map, then the other one still has to move
            if (hold.action == null) {
              hold.action =
                  () -> {
                    map.put(key, 2L);
                    map.remove(key);
                  };
              map.remove(key);
              hold.end();
            }
          });
      hold.images.add(medium.powerLoss(Chooser.none()));
    }
    for (SimulatedMedium image : hold.images) {
      try (ShardedStore store = SimulatedStores.open(image, 1, Durability.SYNC)) {
        assertThat(store.map("second", Long.class, Long.class).get(key)).isNull();
      }
    }
  }

  /** Holds the first durable write of a shard up until another thread has to wait for it. */
  private static final class Hold implements HookedMedium.Hook {
    private final SimulatedMedium medium;
    private final List<SimulatedMedium> images = new ArrayList<>();
    private volatile @Nullable Runnable action;
    private @Nullable CompletableFuture<Void> other;

    Hold(SimulatedMedium medium) {
      this.medium = medium;
    }

    @Override
    public void before(String call, String file) {
      Runnable now = action;
      if (now == null || other != null || !call.equals("writeDurably")) {
        return;
      }
      AtomicReference<Thread> thread = new AtomicReference<>();
      CompletableFuture<Void> started = new CompletableFuture<>();
      other =
          Threads.start(
              () -> {
                thread.set(Thread.currentThread());
                started.complete(null);
                now.run();
              });
      started.join();
      Threads.awaitWaiting(thread.get(), "Operation", "GroupCommit");
      if (other.isDone()) { // its own removal is acknowledged
        images.add(medium.powerLoss(Chooser.none()));
      }
    }

    void end() {
      assertThat(other).as("a durable write").isNotNull();
      assertThat(other).succeedsWithin(Limit.limit());
    }
  }

  /**
   * An outcome of a batch from before shards were given up does not decide a batch after it.
   *
   * @param stride between the points at which it crashes
   */
  static void outcomesOfEarlierBatchesDoNotCount(int stride) {
    SimulatedMedium smaller;
    SimulatedMedium medium = SimulatedMedium.file(2);
    try (ShardedStore store = open(medium)) {
      batches(store, 1);
      store.reshard(2);
      smaller = medium.powerLoss(Chooser.none());
    }
    long at = 1;
    while (crashes(smaller.powerLoss(Chooser.none()), at)) {
      at += stride;
    }
    assertThat(at).isGreaterThan(20);
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
