package io.everheap.engine;

/**
 * The result of opening a heap.
 *
 * @param clean whether the heap had been closed
 * @param transactions replayed from the log
 * @param bytes of log replayed
 * @param tornBytes of an unfinished record at the end of the log that were dropped
 * @param startLsn start of the replay
 * @param endLsn end of the log
 * @param epoch that this opening began
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
