package io.everheap.engine.log;

/**
 * Where the log of an epoch starts, or where in it to start reading.
 *
 * @param epoch that of the opening which wrote it
 * @param lsn of the first part
 * @param chain crc of the part before it
 */
public record EpochStart(long epoch, long lsn, int chain) {}
