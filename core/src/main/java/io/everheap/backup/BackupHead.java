package io.everheap.backup;

import io.everheap.report.Backup;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every backup says of itself.
 *
 * @param name of its file
 * @param kind whether it is complete in itself
 * @param id of this backup
 * @param base id of the backup that an incremental one continues; null for a full one
 * @param origin id of what was backed up
 * @param created when it was begun
 * @param end up to where the origin is in it
 */
public record BackupHead(
    String name,
    Backup.Kind kind,
    UUID id,
    @Nullable UUID base,
    UUID origin,
    Instant created,
    long end) {}
