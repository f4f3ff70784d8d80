package io.everheap.report;

import io.everheap.stability.Evolving;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backup in a directory of backups. Immutable.
 *
 * @param name of its file
 * @param kind whether it is complete in itself
 * @param id of this backup
 * @param base id of the backup that an incremental one continues; null for a full one
 * @param heap id of the heap
 * @param created when it was begun
 * @param startLsn the checkpoint from which the log in it begins
 * @param endLsn every transaction that ends at or before this LSN is in it
 * @param pages number of home pages in it that are not all zeros
 * @param heapBytes size of the home image
 * @param bytes size of the backup
 * @since 0.9
 */
@Evolving
public record Backup(
    String name,
    Kind kind,
    UUID id,
    @Nullable UUID base,
    UUID heap,
    Instant created,
    long startLsn,
    long endLsn,
    long pages,
    long heapBytes,
    long bytes) {

  /** What a backup contains. */
  public enum Kind {
    /** All pages of the heap. */
    FULL,
    /** The pages that were written since the backup before it. */
    INCREMENTAL
  }
}
