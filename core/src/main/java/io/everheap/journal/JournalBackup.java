package io.everheap.journal;

import io.everheap.report.Backup;
import io.everheap.stability.Stable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A backup of a journal in a directory of backups. Immutable.
 *
 * @param name of its file
 * @param kind whether it is complete in itself
 * @param id of this backup
 * @param base id of the backup that an incremental one continues; null for a full one
 * @param journal id of the journal
 * @param created when it was begun
 * @param firstSequence of the oldest record of the journal then
 * @param nextSequence behind the newest record in it
 * @param bytes size of the backup
 * @since 0.9
 */
@Stable
public record JournalBackup(
    String name,
    Backup.Kind kind,
    UUID id,
    @Nullable UUID base,
    UUID journal,
    Instant created,
    long firstSequence,
    long nextSequence,
    long bytes) {}
