package io.everheap.engine.log;

import io.everheap.memory.Medium;
import java.util.Set;
import java.util.UUID;

/** Chooses the log for a medium. */
public final class Logs {
  private Logs() {}

  /**
   * Starts a new epoch of the log; see the order in {@link Log}.
   *
   * @param medium that holds the heap
   * @param options how to run
   * @param uuid of the heap
   * @param epoch the new one: higher than any that the medium has seen
   * @param startLsn of the first part: the end of the previous epoch
   * @param chain crc of the part before it; 0 for a new heap
   * @param keep names of segments that the previous epoch still needs, see {@link
   *     RecoveredLog#segments}; all others may be overwritten at once
   * @return the log; {@link Log#recycleOld} completes it
   * @throws io.everheap.error.DiskFullException when there is no room for a segment
   */
  public static Log start(
      Medium medium,
      LogOptions options,
      UUID uuid,
      long epoch,
      long startLsn,
      int chain,
      Set<String> keep) {
    if (medium.name().equals("memory")) {
      return new VolatileLog(medium, options, uuid, epoch, startLsn, chain);
    }
    return medium.byteAddressable()
        ? new DirectLog(medium, options, uuid, epoch, startLsn, chain, keep)
        : new RingLog(medium, options, uuid, epoch, startLsn, chain, keep);
  }

  /**
   * A log that takes no record, for a heap that is only read.
   *
   * @param medium that holds the heap
   * @param lsn where the log that was read ends
   * @param chain crc of the part before it
   */
  public static Log idle(Medium medium, long lsn, int chain) {
    return new IdleLog(medium.location(), lsn, chain);
  }

  /** The log of a heap that is only read: it stands where reading ended and takes no record. */
  private static final class IdleLog extends ImmediateLog {
    IdleLog(String location, long end, int chain) {
      super(location, new PartSealer(0, chain), end);
    }

    private static IllegalStateException readOnly() {
      return new IllegalStateException("the log is only read");
    }

    @Override
    public void reserve(long bytes) {
      throw readOnly();
    }

    @Override
    int place(int bytes) {
      throw readOnly();
    }

    @Override
    long seal(int length, int flags) {
      throw readOnly();
    }

    @Override
    public long limit() {
      return 0;
    }
  }
}
