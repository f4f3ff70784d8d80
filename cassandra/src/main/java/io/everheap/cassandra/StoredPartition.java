package io.everheap.cassandra;

import io.everheap.error.CorruptException;
import java.io.IOError;
import java.io.IOException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.AbstractBTreePartition;
import org.apache.cassandra.db.partitions.BTreePartitionData;
import org.apache.cassandra.db.rows.DeserializationHelper;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorSerializer;
import org.apache.cassandra.io.util.DataInputBuffer;
import org.apache.cassandra.io.util.DataOutputBuffer;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A partition, and its bytes: the version of Cassandra's serialization, a byte, and the partition
 * in that. The serialization names columns, so that tables can be altered. It is a copy: nothing
 * that happens to the store changes it.
 */
final class StoredPartition extends AbstractBTreePartition {
  private static final int VERSION = MessagingService.VERSION_60;
  private static final int FEW_ROWS = 4;

  private final TableMetadata metadata;
  private final BTreePartitionData data;

  StoredPartition(TableMetadata metadata, DecoratedKey key, BTreePartitionData data) {
    super(key);
    this.metadata = metadata;
    this.data = data;
  }

  static StoredPartition of(TableMetadata metadata, DecoratedKey key, UnfilteredRowIterator rows) {
    return new StoredPartition(metadata, key, build(rows, FEW_ROWS));
  }

  static StoredPartition decode(TableMetadata metadata, byte[] bytes) {
    try (DataInputBuffer in = new DataInputBuffer(bytes)) {
      int version = in.readUnsignedByte();
      try (UnfilteredRowIterator rows =
          UnfilteredRowIteratorSerializer.serializer.deserialize(
              in, version, metadata, null, DeserializationHelper.Flag.LOCAL)) {
        return of(metadata, rows.partitionKey(), rows);
      }
    } catch (IOException | RuntimeException | IOError | AssertionError e) { // of rows: an IOError
      throw CorruptException.heap("a partition of " + metadata + " cannot be read: " + e);
    }
  }

  byte[] encode() {
    try (DataOutputBuffer out = new DataOutputBuffer();
        UnfilteredRowIterator rows = unfilteredIterator()) {
      out.writeByte(VERSION);
      UnfilteredRowIteratorSerializer.serializer.serialize(rows, null, out, VERSION);
      return out.toByteArray();
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be written", e);
    }
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  protected BTreePartitionData holder() {
    return data;
  }

  /** Rows below a deletion are dropped when it is encoded, not when it is merged. */
  @Override
  protected boolean canHaveShadowedData() {
    return true;
  }
}
