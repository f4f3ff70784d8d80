package io.everheap.store;

import io.everheap.HeapStats;
import io.everheap.stability.Stable;
import java.util.List;
import java.util.UUID;

/**
 * Sizes and counts of a store at one moment.
 *
 * @param id of the store
 * @param formatVersion of its files: 1 if an earlier build made it, in which a shard of an earlier
 *     moment may go unnoticed, else 2; {@link ShardedStoreBuilder#upgrade} brings it to the newest
 * @param shards number of shards
 * @param target number of shards that it is changing to; the same if it is not
 * @param moved keys that were moved to other shards since the store was opened
 * @param batchedWrites writes that ran in a thread that had the turn already, since the opening
 * @param batches transactions in which they ran
 * @param heaps of the shards, by their number; more than {@code shards} after it became smaller
 * @since 0.9
 */
@Stable
public record StoreStats(
    UUID id,
    int formatVersion,
    int shards,
    int target,
    long moved,
    long batchedWrites,
    long batches,
    List<HeapStats> heaps) {
  /** Copies the list. */
  public StoreStats {
    heaps = List.copyOf(heaps);
  }
}
