package io.everheap.report;

import io.everheap.stability.Evolving;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a restore.
 *
 * @param backup with which it began
 * @param lsn end of the last transaction that was restored
 * @param archived for a {@link RestorePoint.Time}, when the archive reached that transaction: the
 *     time that was asked for or an earlier one, if no transaction was archived in between; else
 *     null
 * @since 0.9
 */
@Evolving
public record RestoreReport(Backup backup, long lsn, @Nullable Instant archived) {
  /** Creates a report. */
  public RestoreReport {
    Objects.requireNonNull(backup, "backup");
  }
}
