package io.everheap.engine;

/**
 * What opening a heap found and did.
 *
 * @param clean whether the heap had been closed
 * @param transactions replayed from the log
 * @param bytes of log replayed
 * @param tornBytes of an unfinished record at the end of the log that were dropped
 * @param startLsn where replay started
 * @param endLsn where the log ended
 * @param epoch that began
 * @param nanos from the start of opening until reads were served
 */
public record RecoveryReport(
    boolean clean,
    long transactions,
    long bytes,
    long tornBytes,
    long startLsn,
    long endLsn,
    long epoch,
    long nanos) {}
