package io.everheap.cassandra;

import io.everheap.memory.NewFiles;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The store of a node, which is opened when the first of its tables is, and stays open until the
 * process ends. All memtables of the same directory share it.
 */
final class NodeStore {
  private static final Map<Path, NodeStore> OPEN = new HashMap<>(); // guarded by the class

  private final ShardedStore store;
  private final Generations generations;
  private final MemtableOptions options;

  private NodeStore(MemtableOptions options) {
    this.options = options;
    store =
        ShardedStore.builder(options.directory())
            .shards(options.shards())
            .durability(options.durability())
            .open();
    try {
      generations = new Generations(store);
      requireSameNode(options);
      Leftovers.putBackLater(generations);
    } catch (RuntimeException | Error e) {
      store.close(); // the next table tries again
      throw e;
    }
  }

  /**
   * Refuses a store that was not made with this data directory. Ids of tables are small numbers in
   * Cassandra 6: if only the data was deleted, a new table would get what an old one of its number
   * and name had.
   */
  private void requireSameNode(MemtableOptions options) {
    Path data = Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]).toAbsolutePath();
    Path mark = data.resolve("everheap-store-" + store.id()); // not hidden: rm data/* deletes it
    if (Files.exists(mark)) {
      return;
    }
    if (!generations.tables().isEmpty()) {
      throw new ConfigurationException(
          "The store in "
              + options.directory()
              + " has tables, but was not made with the data directory "
              + data
              + ": delete the store if that is a new node's. If both belong together, create the"
              + " empty file "
              + mark);
    }
    try {
      NewFiles.createDirectories(data);
      NewFiles.createFile(mark);
      try (FileChannel directory = FileChannel.open(data)) {
        directory.force(true); // before the first row: what is acknowledged must not be refused
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static NodeStore of(MemtableOptions options) {
    synchronized (NodeStore.class) {
      NodeStore open =
          OPEN.computeIfAbsent(options.directory(), directory -> new NodeStore(options));
      if (!options.isSameStore(open.options)) {
        throw new ConfigurationException(MemtableOptions.conflict(options, open.options));
      }
      return open;
    }
  }

  ShardedStore store() {
    return store;
  }

  Generations generations() {
    return generations;
  }
}
