package io.everheap.engine.log;

/**
 * The start of an epoch's log, or a position in it at which reading starts.
 *
 * @param epoch number of the epoch
 * @param lsn of the first part
 * @param chain crc of the part before it
 */
public record EpochStart(long epoch, long lsn, int chain) {}
