package io.everheap.engine.log;

import io.everheap.error.CorruptLogException;
import io.everheap.log.LogSeed;
import io.everheap.memory.Medium;
import java.util.UUID;

/**
 * Where reading the log of an epoch starts, and where it ends if another epoch took over: what the
 * superblock says.
 *
 * @param medium that holds the heap
 * @param uuid of the heap
 * @param epoch of the log
 * @param lsn of the first part to replay
 * @param chain crc of the part before it
 * @param leastEnd the LSN that replay must reach, because the home image may hold changes up to it
 * @param until the LSN at which another epoch took over; what this one has from there on does not
 *     count
 */
record LogOrigin(
    Medium medium, UUID uuid, long epoch, long lsn, int chain, long leastEnd, long until) {
  /** Of an epoch that no other one took over from. */
  static final long OPEN = Long.MAX_VALUE;

  /** The log of one epoch of several; the last one has no end yet. */
  static LogOrigin of(Medium medium, UUID uuid, EpochStart start, long leastEnd, long until) {
    return new LogOrigin(medium, uuid, start.epoch(), start.lsn(), start.chain(), leastEnd, until);
  }

  long key() {
    return LogSeed.key(uuid, epoch);
  }

  CorruptLogException corrupt(String file, long offset, String what) {
    return new CorruptLogException(medium.location() + "/" + file, offset, what);
  }
}
