package io.everheap.store;

import io.everheap.report.Backup;
import io.everheap.stability.Stable;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A backup of a store in a directory of {@link StoreBackups}. Immutable.
 *
 * @param name of the file that lists the backups of its shards
 * @param kind whether it is complete in itself; an incremental one is full for shards that are new
 * @param created when it was complete
 * @param store id of the store
 * @param shards number of shards
 * @param target number of shards that it changed to; the same if it did not
 * @param heaps ids of the backups of the shards, in their order
 * @param heapBytes size of the home images of all shards
 * @param bytes size of the backups of all shards
 * @since 0.9
 */
@Stable
public record StoreBackup(
    String name,
    Backup.Kind kind,
    Instant created,
    UUID store,
    int shards,
    int target,
    List<UUID> heaps,
    long heapBytes,
    long bytes) {
  /** Copies the list. */
  public StoreBackup {
    heaps = List.copyOf(heaps);
  }
}
