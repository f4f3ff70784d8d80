package io.everheap.cassandra;

import java.util.Iterator;
import java.util.Map;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.Memtable.FlushablePartitionSet;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The partitions of a range for SSTables. The memtable may be written to meanwhile, so columns and
 * statistics are bounds of whatever may come.
 */
final class FlushSet implements FlushablePartitionSet<StoredPartition> {
  private final EverheapMemtable memtable;
  private final PartitionPosition from;
  private final PartitionPosition to;
  private final boolean switchedOut;
  private final TableMetadata metadata;
  private long count;
  private long keyBytes;

  FlushSet(
      EverheapMemtable memtable,
      PartitionPosition from,
      PartitionPosition to,
      boolean switchedOut) {
    this.memtable = memtable;
    this.from = from;
    this.to = to;
    this.switchedOut = switchedOut;
    this.metadata = memtable.metadata();
    for (Iterator<Map.Entry<byte[], byte[]>> i = entries(); i.hasNext(); count++) {
      keyBytes += i.next().getKey().length; // about
    }
  }

  private Iterator<Map.Entry<byte[], byte[]>> entries() {
    return memtable.scan(from, true, to, false);
  }

  @Override
  public Iterator<StoredPartition> iterator() {
    Iterator<Map.Entry<byte[], byte[]>> entries = entries();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return entries.hasNext();
      }

      @Override
      public StoredPartition next() {
        return StoredPartition.decode(metadata, entries.next().getValue());
      }
    };
  }

  @Override
  public Memtable memtable() {
    return memtable;
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  public PartitionPosition from() {
    return from;
  }

  @Override
  public PartitionPosition to() {
    return to;
  }

  /** Writes are not in the commit log, so SSTables of a memtable in use cover nothing of it. */
  @Override
  public CommitLogPosition commitLogLowerBound() {
    return switchedOut ? memtable.getCommitLogLowerBound() : CommitLogPosition.NONE;
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return switchedOut ? memtable.getFinalCommitLogUpperBound() : CommitLogPosition.NONE;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return columns(metadata);
  }

  /** All columns that rows of a table can have, also those that were dropped. */
  static RegularAndStaticColumns columns(TableMetadata metadata) {
    RegularAndStaticColumns.Builder all = RegularAndStaticColumns.builder();
    all.addAll(metadata.regularAndStaticColumns());
    for (DroppedColumn dropped : metadata.droppedColumns.values()) {
      if (metadata.getColumn(dropped.column.name) == null) {
        all.add(dropped.column);
      }
    }
    return all.build();
  }

  @Override
  public EncodingStats encodingStats() {
    return EncodingStats.NO_STATS;
  }

  @Override
  public long partitionCount() {
    return count;
  }

  @Override
  public long partitionKeysSize() {
    return keyBytes;
  }

  @Override
  public long dataSize() {
    return memtable.getLiveDataSize();
  }
}
