package io.everheap.cassandra;

import org.apache.cassandra.db.partitions.BTreePartitionData;
import org.apache.cassandra.db.partitions.BTreePartitionUpdater;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.apache.cassandra.utils.memory.HeapCloner;
import org.jspecify.annotations.Nullable;

/** Merges an update with what a partition has, and tells indexes. For one update. */
final class Merger extends BTreePartitionUpdater {
  @SuppressWarnings("NullAway") // the memory of the result is not counted
  Merger(OpOrder.Group group, UpdateTransaction indexer) {
    super(null, HeapCloner.instance, group, indexer);
  }

  @SuppressWarnings("NullAway") // null: there is no partition
  StoredPartition merge(@Nullable StoredPartition present, PartitionUpdate update) {
    BTreePartitionData before = present == null ? null : present.holder();
    return new StoredPartition(
        update.metadata(), update.partitionKey(), mergePartitions(before, update));
  }

  @Override
  public void reportAllocatedMemory() {}
}
