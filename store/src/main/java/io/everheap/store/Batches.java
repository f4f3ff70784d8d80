package io.everheap.store;

import io.everheap.Durability;
import io.everheap.collection.DurableMap;
import io.everheap.error.CorruptException;
import io.everheap.error.TooLargeException;
import io.everheap.store.Changes.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Atomic batches. One that changes a single shard is a transaction of its heap. One that changes
 * several has a <em>coordinator</em>, the first of them, and these steps, in the turns of all:
 *
 * <ol>
 *   <li>Each other shard stores an <em>intent</em>: the changes that it is to make. Durable before
 *       the next step.
 *   <li>The coordinator makes its own changes and stores the <em>outcome</em>, in one transaction.
 *       This decides. Durable before the next step.
 *   <li>Each other shard makes its changes and removes the intent, in one transaction, or in
 *       several if one would be too large.
 *   <li>When that is durable, the coordinator removes the outcome.
 * </ol>
 *
 * An opening makes the changes of the intents with an outcome and drops the others.
 */
final class Batches {
  private static final String INTENTS = "everheap.intents";
  private static final String OUTCOMES = "everheap.outcomes";

  /** Outcomes that wait until the other shards are durable, if commits do not wait for that. */
  private static final int MOST_ENDED = 64;

  private final ShardedStore store;
  private final AtomicLong ids = new AtomicLong();
  private final Deque<Ended> ended = new ArrayDeque<>(); // guarded by itself

  /** A batch whose last shard made its changes. */
  private record Ended(long id, Shard coordinator, List<Shard> others) {}

  Batches(ShardedStore store) {
    this.store = store;
  }

  private static DurableMap<Long, byte[]> intents(Shard shard) {
    return shard.heap.map(INTENTS, Long.class, byte[].class);
  }

  private static DurableMap<Long, byte[]> outcomes(Shard shard) {
    return shard.heap.map(OUTCOMES, Long.class, byte[].class);
  }

  /** Makes changes in any shards, all or none. */
  void commit(List<Change> changes) {
    while (!tryCommit(changes, store.placement())) {
      // keys move differently now
    }
  }

  private boolean tryCommit(List<Change> changes, Placement placement) {
    TreeSet<Integer> involved = new TreeSet<>();
    for (Change change : changes) {
      int slot = Placement.slot(change.key());
      involved.add(placement.target(slot));
      involved.add(placement.source(slot));
    }
    if (involved.size() == 1) {
      Shard shard = store.shard(involved.first());
      return shard.execute(
          () -> {
            if (store.placement() != placement) {
              return false;
            }
            shard.heap.transact(() -> new Changes(changes).apply(shard));
            return true;
          });
    }
    List<Shard> shards = involved.stream().map(store::shard).toList();
    Optional<Runnable> rest =
        Shard.inTurns(
            shards,
            () -> {
              if (store.placement() != placement) {
                return Optional.empty();
              }
              Runnable end = commit(group(changes, placement));
              if (placement.moving()) { // as for a single write
                shards.forEach(Shard::awaitDurable);
              }
              return Optional.of(end);
            });
    if (rest.isEmpty()) {
      return false;
    }
    shards.forEach(Shard::awaitDurable);
    rest.get().run();
    return true;
  }

  /** The changes by the shards that make them; in the turns of all. */
  private NavigableMap<Integer, Changes> group(List<Change> changes, Placement placement) {
    NavigableMap<Integer, List<Change>> groups = new TreeMap<>();
    for (Change change : changes) {
      int slot = Placement.slot(change.key());
      int from = placement.source(slot);
      int to = placement.target(slot);
      int place =
          from == to
              ? to
              : Moves.place(
                  store.shard(from), store.shard(to), change.map(), change.sorted(), change.key());
      groups.computeIfAbsent(place, p -> new ArrayList<>()).add(change);
    }
    NavigableMap<Integer, Changes> result = new TreeMap<>();
    groups.forEach((shard, group) -> result.put(shard, new Changes(group)));
    return result;
  }

  /** Makes the changes; returns what is to be done when they are durable. */
  private Runnable commit(NavigableMap<Integer, Changes> groups) {
    Shard coordinator = store.shard(groups.firstKey());
    Changes own = groups.firstEntry().getValue();
    if (groups.size() == 1) {
      store(coordinator, () -> own.apply(coordinator));
      return () -> {};
    }
    long id = ids.incrementAndGet();
    Map<Integer, Changes> others = groups.tailMap(groups.firstKey(), false);
    List<Shard> shards = others.keySet().stream().map(store::shard).toList();
    try {
      others.forEach((index, changes) -> intend(store.shard(index), id, changes, coordinator));
      forceIntents(shards);
      decide(coordinator, id, own);
    } catch (RuntimeException | Error e) {
      shards.forEach(shard -> drop(shard, id, e));
      throw e;
    }
    try {
      forceOutcome(coordinator);
      others.forEach((index, changes) -> finish(store.shard(index), id, changes));
    } catch (RuntimeException | Error e) {
      store.stop(e); // the batch is decided: the next opening finishes it
      throw e;
    }
    return () -> end(new Ended(id, coordinator, shards));
  }

  private static void forceIntents(List<Shard> shards) {
    shards.forEach(shard -> shard.heap.sync());
  }

  private static void forceOutcome(Shard coordinator) {
    coordinator.heap.sync();
  }

  private static void intend(Shard shard, long id, Changes changes, Shard coordinator) {
    store(shard, () -> intents(shard).set(id, changes.encode(coordinator.index)));
  }

  private static void decide(Shard coordinator, long id, Changes own) {
    store(
        coordinator,
        () -> {
          own.apply(coordinator);
          outcomes(coordinator).set(id, new byte[0]);
        });
  }

  /**
   * Makes the changes of a batch that is decided. Changes too large for one transaction are made
   * one by one. The intent stays until all of them are made, so recovery repeats them after a
   * crash.
   */
  private static void finish(Shard shard, long id, Changes changes) {
    try {
      store(
          shard,
          () -> {
            changes.apply(shard);
            intents(shard).remove(id);
          });
    } catch (TooLargeException e) {
      changes.all().forEach(change -> store(shard, () -> change.apply(shard)));
      store(shard, () -> intents(shard).remove(id));
    }
  }

  private void drop(Shard shard, long id, Throwable cause) {
    try {
      store(shard, () -> intents(shard).remove(id));
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e); // the next opening drops it: it has no outcome
    }
  }

  /** Stores in one transaction that does not wait for a disk. */
  private static void store(Shard shard, Runnable body) {
    shard.commit(
        () -> {
          shard.heap.transact(body::run);
          return true;
        });
  }

  /** Removes the outcome of a batch whose other shards made their changes. */
  private void end(Ended batch) {
    if (batch.coordinator.heap.durability() instanceof Durability.Sync) {
      forget(batch); // the changes are durable
      return;
    }
    synchronized (ended) {
      ended.add(batch);
      if (ended.size() < MOST_ENDED) {
        return;
      }
      endAll();
    }
  }

  /** Removes the outcomes of all batches that ended. */
  void endAll() {
    synchronized (ended) {
      // To forget one may run code of the program, which commits other batches.
      for (Ended batch = ended.poll(); batch != null; batch = ended.poll()) {
        batch.others.forEach(shard -> shard.heap.sync());
        forget(batch);
      }
    }
  }

  private static void forget(Ended batch) {
    Shard coordinator = batch.coordinator;
    Shard.inTurns(
        List.of(coordinator),
        () -> {
          store(coordinator, () -> outcomes(coordinator).remove(batch.id));
          return true;
        });
  }

  /** Finishes or drops what a crash interrupted. Nothing else uses the store. */
  void recover() {
    for (Shard shard : store.shards()) {
      if (shard.heap.contains(INTENTS)) {
        recover(shard);
        shard.heap.sync(); // before the outcomes are removed
      }
    }
    for (Shard shard : store.shards()) {
      if (shard.heap.contains(OUTCOMES) && !outcomes(shard).isEmpty()) {
        outcomes(shard).clear();
        shard.heap.sync(); // ids are used again
      }
    }
  }

  private void recover(Shard shard) {
    Map<Long, byte[]> found = Map.copyOf(intents(shard));
    found.forEach(
        (id, intent) -> {
          Shard coordinator = coordinator(shard, intent);
          if (coordinator.heap.contains(OUTCOMES) && outcomes(coordinator).containsKey(id)) {
            finish(shard, id, Changes.decode(intent));
          } else {
            store(shard, () -> intents(shard).remove(id));
          }
        });
  }

  /** The shard that decides whether an intent counts. */
  private Shard coordinator(Shard shard, byte[] intent) {
    int index = Changes.coordinator(intent);
    if (index < 0 || index >= store.shards().size()) {
      throw CorruptException.heap(
          "a batch in "
              + shard.heap.stats().location()
              + " is decided by the shard "
              + index
              + ", which does not exist");
    }
    return store.shard(index);
  }

  /** The number of intents and outcomes that wait for an opening. */
  static long unfinished(Shard shard) {
    long count = 0;
    for (String name : List.of(INTENTS, OUTCOMES)) {
      if (shard.heap.contains(name)) {
        ConcurrentMap<Long, byte[]> map = shard.heap.map(name, Long.class, byte[].class);
        count += map.size();
      }
    }
    return count;
  }
}
