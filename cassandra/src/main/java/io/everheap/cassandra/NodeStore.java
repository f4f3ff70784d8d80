package io.everheap.cassandra;

import io.everheap.store.ShardedStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The store of a node, which is opened when the first of its tables is, and stays open until the
 * process ends. All memtables of the same directory share it.
 */
final class NodeStore {
  private static final Map<Path, NodeStore> OPEN = new HashMap<>(); // guarded by the class

  private final ShardedStore store;
  private final Generations generations;

  private NodeStore(MemtableOptions options) {
    store =
        ShardedStore.builder(options.directory())
            .shards(options.shards())
            .durability(options.durability())
            .open();
    generations = new Generations(store);
    Leftovers.putBackLater(generations);
  }

  static NodeStore of(MemtableOptions options) {
    synchronized (NodeStore.class) {
      return OPEN.computeIfAbsent(options.directory(), directory -> new NodeStore(options));
    }
  }

  ShardedStore store() {
    return store;
  }

  Generations generations() {
    return generations;
  }
}
