package io.everheap.engine.log;

import io.everheap.error.CorruptException;
import io.everheap.log.LogSeed;
import io.everheap.memory.Medium;
import java.util.UUID;

/**
 * The start of reading the log of an epoch, and its end if another epoch follows, according to the
 * superblock.
 *
 * @param medium that holds the heap
 * @param uuid of the heap
 * @param epoch of the log
 * @param lsn of the first part to replay
 * @param chain crc of the part before it
 * @param minEnd the LSN that replay must reach, because the home image may hold changes up to it
 * @param until the LSN at which the next epoch starts; records of this epoch from there on do not
 *     count
 */
record LogOrigin(
    Medium medium, UUID uuid, long epoch, long lsn, int chain, long minEnd, long until) {
  /** The value of {@code until} for the last epoch. */
  static final long OPEN = Long.MAX_VALUE;

  /** The origin of one of several epochs. */
  static LogOrigin of(Medium medium, UUID uuid, EpochStart start, long minEnd, long until) {
    return new LogOrigin(medium, uuid, start.epoch(), start.lsn(), start.chain(), minEnd, until);
  }

  long key() {
    return LogSeed.key(uuid, epoch);
  }

  CorruptException corrupt(String file, long offset, String what) {
    return CorruptException.log(medium.location() + "/" + file, offset, what);
  }
}
