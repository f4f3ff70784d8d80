package io.everheap.journal;

import io.everheap.error.CorruptJournalException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What recovery found.
 *
 * @param live the segments of the journal, oldest first; the last one ends at the journal's end
 * @param unused files of segments that the journal does not need
 * @param scanned how many segments at the end of the list were read and may not be durable
 * @param nextSequence behind the last record
 * @param chain crc of the last record
 * @param highestOrdinal of all files
 * @param highestEpoch of all segments
 * @param tornBytes of records that were not complete
 * @param damage what is behind the last record, if that is not the end of the journal; only when
 *     watching
 */
record Recovered(
    List<Segment> live,
    List<String> unused,
    int scanned,
    long nextSequence,
    int chain,
    long highestOrdinal,
    long highestEpoch,
    long tornBytes,
    @Nullable CorruptJournalException damage) {}
