package io.everheap.cassandra;

import java.util.Iterator;
import java.util.Map;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/** What a query selects of partitions that a scan finds. */
final class StoredPartitions extends AbstractUnfilteredPartitionIterator {
  private final TableMetadata metadata;
  private final ColumnFilter columns;
  private final DataRange range;
  private final Iterator<Map.Entry<byte[], byte[]>> entries;

  StoredPartitions(
      TableMetadata metadata,
      ColumnFilter columns,
      DataRange range,
      Iterator<Map.Entry<byte[], byte[]>> entries) {
    this.metadata = metadata;
    this.columns = columns;
    this.range = range;
    this.entries = entries;
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  public boolean hasNext() {
    return entries.hasNext();
  }

  @Override
  public UnfilteredRowIterator next() {
    StoredPartition partition = StoredPartition.decode(metadata, entries.next().getValue());
    return range
        .clusteringIndexFilter(partition.partitionKey())
        .getUnfilteredRowIterator(columns, partition);
  }
}
