package io.everheap.store;

import io.everheap.memory.Threads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Changes the number of shards. The descriptor first says that it changes, and to what; then keys
 * move, in one pass over the maps; then the descriptor says that it changed. A crash in between is
 * followed by another pass. Directories of shards that are unused stay. A shard is emptied when it
 * is used again.
 */
final class Resharding {
  private static final int LOOK_AHEAD = 4096;

  private final ShardedStore store;
  private @Nullable Thread thread; // guarded by this
  private final AtomicLong moved = new AtomicLong();
  private volatile boolean stopping;
  private volatile @Nullable Throwable failure;

  Resharding(ShardedStore store) {
    this.store = store;
  }

  /** Keys that were moved since the store was opened. */
  long moved() {
    return moved.get();
  }

  /** Why the thread ended before all keys were moved; null if it did not. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Goes on after a crash. */
  synchronized void resume(boolean background) {
    if (store.placement().moving() && background) {
      Thread mover = Threads.daemon("everheap-reshard", this::finish);
      thread = mover;
      mover.start();
    }
  }

  private void finish() {
    try {
      run(store.placement().to(), ReshardProgress.NONE);
    } catch (RuntimeException | Error e) {
      failure = e; // keys are found in both places; reshard() tries again
      if (!stopping) {
        System.getLogger(ShardedStore.class.getName())
            .log(
                System.Logger.Level.WARNING,
                store + " still has keys to move to other shards: call reshard, or open it again",
                e);
      }
    }
  }

  /** Ends the thread, if there is one. */
  void stop() {
    stopping = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    boolean interrupted = false;
    while (running != null && running.isAlive() && !running.equals(Thread.currentThread())) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Changes the number of shards; returns when all keys are in their places. */
  void run(int shards, ReshardProgress progress) {
    synchronized (store.structure) {
      Placement now = store.placement();
      if (now.moving()) { // interrupted by a crash
        complete(now.to(), progress);
      }
      int from = store.placement().to();
      if (from != shards) {
        store.grow(shards);
        store.place(new Placement(from, shards));
        complete(shards, progress);
      }
    }
  }

  /**
   * Moves all keys. Outcomes of batches may stay in shards that are unused from then on, and in a
   * store of version 1 a crash may bring removed keys back there. That does no harm, since a shard
   * is emptied before it is used again.
   */
  private void complete(int shards, ReshardProgress progress) {
    move(progress);
    store.place(new Placement(shards, shards));
  }

  private void move(ReshardProgress progress) {
    Placement placement = store.placement();
    Map<String, Catalog.Types> maps = store.catalog().all();
    long total = 0;
    for (int i = 0; i < placement.from(); i++) {
      for (Map.Entry<String, Catalog.Types> map : maps.entrySet()) {
        total += Catalog.size(part(i, map));
      }
    }
    long[] seen = {0};
    for (int i = 0; i < placement.from(); i++) {
      for (Map.Entry<String, Catalog.Types> map : maps.entrySet()) {
        move(placement, i, map, seen, total, progress);
      }
    }
    progress.update(total, total);
  }

  private ConcurrentMap<byte[], Object> part(int shard, Map.Entry<String, Catalog.Types> map) {
    return Catalog.part(store.shard(shard), map.getKey(), map.getValue().sorted(), ValueCodec.RAW);
  }

  private void move(
      Placement placement,
      int shard,
      Map.Entry<String, Catalog.Types> map,
      long[] seen,
      long total,
      ReshardProgress progress) {
    Map<Integer, List<byte[]>> keys = new HashMap<>();
    int collected = 0;
    for (byte[] key : part(shard, map).keySet()) {
      if (stopping) {
        throw new IllegalStateException("the store is being closed");
      }
      int slot = Placement.slot(key);
      int target = placement.target(slot);
      if (target != shard) {
        keys.computeIfAbsent(target, t -> new ArrayList<>()).add(key);
        collected++;
      }
      seen[0]++;
      if (collected == LOOK_AHEAD) {
        move(shard, map, keys);
        collected = 0;
        progress.update(Math.min(seen[0], total), total);
      }
    }
    move(shard, map, keys);
    progress.update(Math.min(seen[0], total), total);
  }

  private void move(
      int shard, Map.Entry<String, Catalog.Types> map, Map<Integer, List<byte[]>> keys) {
    keys.forEach(
        (target, list) -> {
          boolean sorted = map.getValue().sorted();
          var parts = Moves.Parts.of(store.shard(shard), store.shard(target), map.getKey(), sorted);
          Moves.move(store, parts, list);
          moved.addAndGet(list.size());
        });
    keys.clear();
  }
}
