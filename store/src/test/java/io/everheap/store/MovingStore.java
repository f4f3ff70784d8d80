package io.everheap.store;

import io.everheap.memory.MediumSetting;
import io.everheap.memory.MemoryMedium;
import io.everheap.memory.SubdirectoryMedium;
import io.everheap.store.Changes.Change;
import io.everheap.store.ValueCodec.Raw;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentMap;

/**
 * A store in memory whose keys move to other shards when a test says so, step by step. Tests share
 * it, since it takes long to make heaps: {@link #at} begins with empty maps.
 */
final class MovingStore implements AutoCloseable {
  private final MemoryMedium memory = new MemoryMedium();
  ShardedStore store;
  ShardedMap<Integer, Integer> map;
  ShardedSortedMap<Integer, Integer> sorted;

  MovingStore() {
    open(1);
  }

  /** The store with so many shards, whose maps are empty; nothing moves. */
  MovingStore at(int shards) {
    store.reshard(shards);
    return this;
  }

  private void open(int shards) {
    store =
        MediumSetting.withoutThreads(
                MediumSetting.medium(
                    ShardedStore.builder(Path.of("memory"))
                        .shards(shards)
                        .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20)),
                    new SubdirectoryMedium(memory, "store")))
            .open();
    map = store.map("map", Integer.class, Integer.class);
    sorted = store.sortedMap("sorted", Integer.class, Integer.class);
  }

  /** Opens the store again, which does not go on with the moves by itself. */
  void reopen() {
    store.close();
    open(1);
  }

  /** From here on keys belong to their shards of another number; none has moved yet. */
  void begin(int shards) {
    synchronized (store.structure) {
      int now = store.placement().to();
      store.grow(shards);
      store.place(new Placement(now, shards));
    }
  }

  /** All keys have moved. */
  void moved() {
    synchronized (store.structure) {
      int now = store.placement().to();
      store.place(new Placement(now, now));
    }
  }

  private int slot(ShardedMap<Integer, ?> of, int key) {
    return Placement.slot(of.encodeKey(key));
  }

  /** Whether a key belongs to another shard than before. */
  boolean moves(ShardedMap<Integer, ?> of, int key) {
    return source(of, key) != target(of, key);
  }

  int source(ShardedMap<Integer, ?> of, int key) {
    return store.placement().source(slot(of, key));
  }

  int target(ShardedMap<Integer, ?> of, int key) {
    return store.placement().target(slot(of, key));
  }

  ConcurrentMap<byte[], Object> part(ShardedMap<Integer, ?> of, int shard) {
    return Catalog.part(store.shard(shard), of.name(), of.isSorted(), ValueCodec.RAW);
  }

  boolean isIn(ShardedMap<Integer, ?> of, int shard, int key) {
    return part(of, shard).containsKey(of.encodeKey(key));
  }

  Moves.Parts parts(ShardedMap<Integer, ?> of, int key) {
    return Moves.Parts.of(
        store.shard(source(of, key)), store.shard(target(of, key)), of.name(), of.isSorted());
  }

  /** Moves a key, if it is there and moves. */
  void move(ShardedMap<Integer, ?> of, int key) {
    if (moves(of, key)) {
      Moves.move(store, parts(of, key), List.of(of.encodeKey(key)));
    }
  }

  /** Leaves a key in both shards, as a crash after the copy does. */
  void copy(ShardedMap<Integer, ?> of, int key) {
    byte[] bytes = of.encodeKey(key);
    if (moves(of, key) && part(of, source(of, key)).get(bytes) instanceof Raw value) {
      new Change(of.name(), of.isSorted(), bytes, value).apply(store.shard(target(of, key)));
    }
  }

  /** The first key from a number on that moves from one shard to another. */
  int movingKey(ShardedMap<Integer, ?> of, int from) {
    int key = from;
    while (!moves(of, key)) {
      key++;
    }
    return key;
  }

  /** The first key from a number on that stays where it is. */
  int stayingKey(ShardedMap<Integer, ?> of, int from) {
    int key = from;
    while (moves(of, key)) {
      key++;
    }
    return key;
  }

  /** A map that does something before and after each call of a method. */
  @SuppressWarnings("unchecked")
  static ConcurrentMap<byte[], Object> hooked(
      ConcurrentMap<byte[], Object> map, String method, Runnable before, Runnable after) {
    return (ConcurrentMap<byte[], Object>)
        Proxy.newProxyInstance(
            MovingStore.class.getClassLoader(),
            new Class<?>[] {ConcurrentMap.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                before.run();
              }
              Object result = called.invoke(map, arguments);
              if (called.getName().equals(method)) {
                after.run();
              }
              return result;
            });
  }

  /** Ends a test: empties the maps. */
  @Override
  public void close() {
    map.clear();
    sorted.clear();
  }

  /** Closes the store. */
  void end() {
    store.close();
    memory.close();
  }
}
