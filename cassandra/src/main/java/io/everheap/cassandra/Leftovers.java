package io.everheap.cassandra;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.tcm.ClusterMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts back into their tables the partitions that an earlier process left in the store, if the
 * tables have another memtable now: that process ended while it flushed them. In a thread of its
 * own, when the node has started. It finds the tables as soon as they are there, so that it learns
 * of each truncation.
 */
final class Leftovers implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(10);

  private final Generations generations;

  /** By what their generations are listed under; a table comes before its indexes. */
  private final Map<String, LeftTable> found = new LinkedHashMap<>();

  private Leftovers(Generations generations) {
    this.generations = generations;
  }

  /** Does it when the node has its tables. */
  static void putBackLater(Generations generations) {
    if (!generations.tables().isEmpty()) {
      Thread.ofPlatform().daemon().name("everheap-leftovers").start(new Leftovers(generations));
    }
  }

  @Override
  public void run() {
    var names = generations.tables();
    while (!StorageService.instance.isDaemonSetupCompleted()) {
      names.forEach(this::find);
      LockSupport.parkNanos(PERIOD);
    }
    names.forEach(this::find);
    for (String name : names) {
      LeftTable table = found.get(name);
      if (table == null) {
        LOG.warn("The store has partitions of the table {}, which does not exist", name);
        continue;
      }
      try {
        table.putBack();
      } catch (RuntimeException e) {
        LOG.error("Partitions of {} stay in the store until the node starts again", name, e);
      }
    }
  }

  private void find(String name) {
    if (!found.containsKey(name) && ClusterMetadata.currentNullable() != null) {
      TableId id = TableId.fromString(name.substring(0, name.indexOf('/')));
      ColumnFamilyStore table = ColumnFamilyStore.getIfExists(id);
      if (table != null) {
        found.put(name, LeftTable.watched(generations, name, table));
      }
    }
  }
}
