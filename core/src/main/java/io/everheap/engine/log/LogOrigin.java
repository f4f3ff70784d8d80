package io.everheap.engine.log;

import io.everheap.error.CorruptLogException;
import io.everheap.memory.Medium;
import java.util.UUID;

/**
 * Where reading the log starts: what the superblock says.
 *
 * @param medium that holds the heap
 * @param uuid of the heap
 * @param epoch of the log
 * @param lsn of the first part to replay
 * @param chain crc of the part before it
 * @param leastEnd the LSN that replay must reach, because the home image may hold changes up to it
 */
record LogOrigin(Medium medium, UUID uuid, long epoch, long lsn, int chain, long leastEnd) {
  long key() {
    return RecordLayout.key(uuid, epoch);
  }

  CorruptLogException corrupt(String file, long offset, String what) {
    return new CorruptLogException(medium.location() + "/" + file, offset, what);
  }
}
