package io.everheap.report;

import io.everheap.stability.Evolving;
import java.time.Instant;

/**
 * The moment as of which a heap is restored. All but {@link OfBackup} need an archive of the log
 * that begins before the backup ({@code HeapBuilder.archive}).
 *
 * @since 0.9
 */
@Evolving
public sealed interface RestorePoint {
  /** The moment at which the backup was complete. */
  record OfBackup() implements RestorePoint {}

  /** The newest transaction in the archive. */
  record Newest() implements RestorePoint {}

  /**
   * All transactions that end at or before an LSN.
   *
   * @param lsn as in {@code HeapStats} and in the description of a backup
   */
  record Lsn(long lsn) implements RestorePoint {}

  /**
   * What the archive had at a time: transactions that committed up to a second before it may be
   * missing.
   *
   * @param time by the clock of the machine that wrote the heap
   */
  record Time(Instant time) implements RestorePoint {}
}
