package io.everheap.journal;

import io.everheap.stability.Stable;

/**
 * The result of a restore of a journal.
 *
 * @param backup the newest one that was used
 * @param firstSequence of the oldest record
 * @param nextSequence behind the newest record
 * @since 0.9
 */
@Stable
public record JournalRestoreReport(JournalBackup backup, long firstSequence, long nextSequence) {}
