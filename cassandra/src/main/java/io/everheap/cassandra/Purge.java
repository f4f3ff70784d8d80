package io.everheap.cassandra;

import java.util.function.LongPredicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PurgeFunction;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Drops tombstones that are older than the table keeps them, and cells that expired before that.
 * Only for partitions of which nothing is elsewhere: a tombstone there would still be needed.
 */
final class Purge extends PurgeFunction {
  private final TableMetadata metadata;

  Purge(TableMetadata metadata, long nowInSeconds, long keptSince) {
    super(nowInSeconds, keptSince, Long.MAX_VALUE, false, metadata.enforceStrictLiveness());
    this.metadata = metadata;
  }

  @Override
  protected LongPredicate getPurgeEvaluator() {
    return timestamp -> true;
  }

  /** What is left of a partition; null if nothing is. */
  @Nullable StoredPartition apply(StoredPartition partition) {
    DecoratedKey key = partition.partitionKey();
    UnfilteredRowIterator left = applyToPartition(partition.unfilteredIterator());
    if (left == null) {
      return null;
    }
    try (left) {
      return StoredPartition.of(metadata, key, left);
    }
  }
}
