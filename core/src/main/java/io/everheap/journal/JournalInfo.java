package io.everheap.journal;

import io.everheap.stability.Stable;
import java.util.UUID;

/**
 * The state of a journal at one moment.
 *
 * @param location its directory
 * @param medium kind of its storage: {@code file}, {@code dax}
 * @param uuid its identity
 * @param formatVersion of its files
 * @param epoch how often it was opened for writing or cut
 * @param firstSequence of the oldest record
 * @param nextSequence of the record to come
 * @param durableSequence records below are durable
 * @param segments how many files hold its records
 * @param bytes of these files
 * @param unusedBytes of files that are ready for records, as far as known
 * @param segmentSize of new files
 * @param recovered whether it had not been closed when it was opened
 * @param tornBytes of unfinished records that recovery cut off
 * @since 0.9
 */
@Stable
public record JournalInfo(
    String location,
    String medium,
    UUID uuid,
    int formatVersion,
    long epoch,
    long firstSequence,
    long nextSequence,
    long durableSequence,
    int segments,
    long bytes,
    long unusedBytes,
    int segmentSize,
    boolean recovered,
    long tornBytes) {}
