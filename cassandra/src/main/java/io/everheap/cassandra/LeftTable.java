package io.everheap.cassandra;

import io.everheap.cassandra.Generations.Generation;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.service.ActiveRepairService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table, or an index of one, and the generations that an earlier process left of it. Partitions
 * are put back as an SSTable for each generation, which the table has as a whole or not at all; it
 * is durable before they are removed from the store, so a process that ends meanwhile is followed
 * by one that does it again, which changes nothing. A truncation deletes the SSTables that are
 * there, and those that come later are not added. An index is built again. Thread-safe.
 */
final class LeftTable implements INotificationConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(LeftTable.class);

  private final Generations generations;
  private final String name;
  private final ColumnFamilyStore table;
  private final ColumnFamilyStore truncatedWith;

  /** Null until it is known that no memtable of this process has them. */
  private @Nullable List<Generation> left; // guarded by this

  private boolean truncated; // guarded by this

  private LeftTable(
      Generations generations,
      String name,
      ColumnFamilyStore table,
      ColumnFamilyStore truncatedWith) {
    this.generations = generations;
    this.name = name;
    this.table = table;
    this.truncatedWith = truncatedWith;
  }

  /**
   * Learns of truncations from now on.
   *
   * @param name as in the list of generations: the table's id, a slash, and its name, or the name
   *     of its table, a dot, and the name of the index
   * @param truncatedWith the table whose truncations truncate this one: that of a view, else itself
   */
  static LeftTable watched(
      Generations generations,
      String name,
      ColumnFamilyStore table,
      ColumnFamilyStore truncatedWith) {
    LeftTable watched = new LeftTable(generations, name, table, truncatedWith);
    truncatedWith.getTracker().subscribe(watched);
    return watched;
  }

  @SuppressWarnings("ReferenceEquality") // a table is equal to nothing but itself
  boolean isOf(ColumnFamilyStore other, ColumnFamilyStore otherTruncatedWith) {
    return table == other && truncatedWith == otherTruncatedWith;
  }

  /** A truncation says so before it deletes SSTables, and before its statement returns. */
  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof TruncationNotification) {
      synchronized (this) {
        truncated = true;
        left().forEach(generations::forget);
      }
    }
  }

  private synchronized List<Generation> left() {
    if (left == null) {
      left = generations.adopt(name);
    }
    return left;
  }

  void putBack() {
    List<Generation> present = left();
    int index = name.indexOf('.');
    if (index < 0) {
      present.reversed().forEach(this::putBack);
    } else if (!present.isEmpty() && table.isValid()) {
      table.indexManager.rebuildIndexesBlocking(Set.of(name.substring(index + 1)));
    }
    forget(present); // of a table that was dropped meanwhile as well
    present.forEach(generations::clear);
    truncatedWith.getTracker().unsubscribe(this);
  }

  /** Once they are cleared, a new memtable may have their numbers: no truncation forgets those. */
  private synchronized void forget(List<Generation> present) {
    present.forEach(generations::forget);
    left = List.of();
  }

  private void putBack(Generation generation) {
    try (LifecycleTransaction files = LifecycleTransaction.offline(OperationType.WRITE);
        SSTableWriter writer = writer(files, generation)) {
      long count = 0;
      Iterator<Map.Entry<byte[], byte[]>> entries = generation.partitions().entries();
      while (entries.hasNext()) {
        StoredPartition partition =
            StoredPartition.decode(table.metadata(), entries.next().getValue());
        try (UnfilteredRowIterator rows = partition.unfilteredIterator()) {
          count += writer.append(rows) == null ? 0 : 1;
        }
      }
      if (count > 0) {
        add(files, writer);
        LOG.info("{} partitions of {} were put back from the store", count, table.metadata());
      }
    }
  }

  private SSTableWriter writer(LifecycleTransaction files, Generation generation) {
    Descriptor descriptor =
        table.newSSTableDescriptor(table.getDirectories().getDirectoryForNewSSTables());
    SSTableWriter writer =
        DatabaseDescriptor.getSelectedSSTableFormat()
            .getWriterFactory()
            .builder(descriptor)
            .setTableMetadataRef(table.metadata)
            .setKeyCount(generation.partitions().sizeLong())
            .setRepairedAt(ActiveRepairService.UNREPAIRED_SSTABLE)
            .setSerializationHeader(
                new SerializationHeader(
                    true,
                    table.metadata(),
                    FlushSet.columns(table.metadata()),
                    EncodingStats.NO_STATS))
            .setMetadataCollector(new MetadataCollector(table.metadata().comparator))
            .setSecondaryIndexGroups(table.indexManager.listIndexGroups())
            .addDefaultComponents(table.indexManager.listIndexGroups())
            .setCompressionDictionaryManager(table.compressionDictionaryManager())
            .build(files, table);
    writer.setMaxDataAge(0); // older than any truncation that is to come
    return writer;
  }

  /**
   * Makes the files count and the table have them, unless it was truncated. Cassandra adds them to
   * its indexes.
   */
  private synchronized void add(LifecycleTransaction files, SSTableWriter writer) {
    if (truncated || !table.isValid()) {
      return; // the files are deleted
    }
    SSTableReader sstable = writer.finish(true);
    files.finish();
    table.addSSTables(List.of(sstable));
    table.getTracker().dropSSTablesIfInvalid(null); // if it was dropped meanwhile
  }
}
