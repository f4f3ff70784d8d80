package io.everheap.cassandra;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.ViewMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.tcm.ClusterMetadata;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.jspecify.annotations.Nullable;
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
      Thread.ofPlatform()
          .daemon()
          .name("everheap-leftovers")
          .inheritInheritableThreadLocals(false)
          .start(new Leftovers(generations));
    }
  }

  @Override
  public void run() {
    Set<String> names = generations.tables();
    while (!StorageService.instance.isDaemonSetupCompleted()) {
      names.forEach(this::findEarly);
      LockSupport.parkNanos(PERIOD);
    }
    for (String name : names) {
      try {
        putBack(name);
      } catch (RuntimeException | AssertionError | FSError e) { // Cassandra has all three
        LOG.error("Partitions of {} stay in the store until the node starts again", name, e);
        JVMStabilityInspector.inspectThrowable(e); // as disk_failure_policy says
      }
    }
  }

  private void putBack(String name) {
    find(name);
    LeftTable table = found.get(name);
    if (table == null) {
      LOG.warn("The store has partitions of the table {}, which does not exist", name);
    } else {
      table.putBack();
    }
  }

  private void findEarly(String name) {
    try {
      find(name);
    } catch (RuntimeException | AssertionError e) {
      LOG.trace("The schema is not there yet", e);
    }
  }

  private void find(String name) {
    if (ClusterMetadata.currentNullable() == null) {
      return;
    }
    TableId id = TableId.fromString(name.substring(0, name.indexOf('/')));
    ColumnFamilyStore table = Schema.instance.getColumnFamilyStoreInstance(id);
    ColumnFamilyStore truncatedWith = table == null ? null : truncatedWith(table);
    LeftTable known = found.get(name);
    if (table != null
        && truncatedWith != null
        && (known == null || !known.isOf(table, truncatedWith))) {
      found.put(name, LeftTable.watched(generations, name, table, truncatedWith));
    }
  }

  /** Cassandra truncates a view with its table, and notifies those that watch the table alone. */
  private static @Nullable ColumnFamilyStore truncatedWith(ColumnFamilyStore table) {
    if (!table.metadata().isView()) {
      return table;
    }
    ViewMetadata view = Schema.instance.getView(table.getKeyspaceName(), table.getTableName());
    return view == null ? null : Schema.instance.getColumnFamilyStoreInstance(view.baseTableId);
  }
}
