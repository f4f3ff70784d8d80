package io.everheap.cassandra;

import io.everheap.cassandra.Generations.Generation;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts back into their tables the partitions that an earlier process left in the store, if the
 * tables have another memtable now: that process ended while it flushed them. Each table is flushed
 * before its partitions are removed from the store, so a process that ends meanwhile is followed by
 * one that does all of it again, which changes nothing. Indexes that were left are built again.
 */
final class Leftovers {
  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
  private static final int PERIOD_MILLIS = 100;

  private final Generations generations;
  private @Nullable ScheduledFuture<?> attempts; // guarded by this

  private Leftovers(Generations generations) {
    this.generations = generations;
  }

  /** Does it when the node has its tables. */
  static void putBackLater(Generations generations) {
    Leftovers leftovers = new Leftovers(generations);
    synchronized (leftovers) {
      leftovers.attempts =
          ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
              leftovers::attempt, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void attempt() {
    if (!StorageService.instance.isDaemonSetupCompleted()) {
      return;
    }
    if (attempts != null) {
      attempts.cancel(false);
    }
    for (String table : generations.tables()) {
      try {
        putBack(table);
      } catch (RuntimeException e) {
        LOG.error("Partitions of {} stay in the store until the node starts again", table, e);
      }
    }
  }

  /**
   * Puts the partitions of a table back, or builds an index again.
   *
   * @param name as in the list of generations: the table's id, a slash, and its name, or the name
   *     of its table, a dot, and the name of the index
   */
  private void putBack(String name) {
    ColumnFamilyStore table =
        ColumnFamilyStore.getIfExists(TableId.fromString(name.substring(0, name.indexOf('/'))));
    if (table == null) {
      LOG.warn("The store has partitions of the table {}, which does not exist", name);
      return;
    }
    List<Generation> left = generations.adopt(name);
    if (left.isEmpty()) {
      return;
    }
    int index = name.indexOf('.');
    if (index < 0) {
      long count = 0;
      for (Generation generation : left.reversed()) {
        count += putBack(table, generation);
      }
      table.forceBlockingFlush(FlushReason.INTERNALLY_FORCED);
      LOG.info("{} partitions of {} were put back from the store", count, table.metadata());
    } else {
      Set<String> indexes = new HashSet<>(Set.of(name.substring(index + 1)));
      table.indexManager.rebuildIndexesBlocking(indexes);
    }
    generations.sync(); // the table may have got this memtable back meanwhile
    left.forEach(generations::clear);
  }

  private static long putBack(ColumnFamilyStore table, Generation generation) {
    Iterator<Map.Entry<byte[], byte[]>> entries = generation.partitions().entries();
    long count = 0;
    for (; entries.hasNext(); count++) {
      StoredPartition partition =
          StoredPartition.decode(table.metadata(), entries.next().getValue());
      try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
        ColumnFilter all = ColumnFilter.all(table.metadata());
        new Mutation(PartitionUpdate.fromIterator(rows, all)).applyUnsafe();
      }
    }
    return count;
  }
}
