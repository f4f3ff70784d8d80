package io.everheap.engine.log;

import io.everheap.memory.Medium;
import java.util.Set;
import java.util.UUID;

/** Creates the log for a medium. Stateless. */
public final class Logs {
  private Logs() {}

  /**
   * Starts a new epoch of the log; see the order in {@link Log}.
   *
   * @param medium that holds the heap
   * @param options settings of the log
   * @param uuid of the heap
   * @param epoch the new one, higher than any earlier one on the medium
   * @param startLsn of the first part: the end of the previous epoch
   * @param chain crc of the part before it; 0 for a new heap
   * @param keep names of segments of previous epochs that are still needed, see {@link
   *     RecoveredLog#segments}; all others may be overwritten at once
   * @return the log; {@link Log#recycleOld} completes the start
   * @throws io.everheap.error.DiskFullException if there is no space for a segment
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
   * Creates a log that accepts no record, for a heap that is opened for reading only.
   *
   * @param medium that holds the heap
   * @param lsn end of the log that was read
   * @param chain crc of the part before it
   */
  public static Log idle(Medium medium, long lsn, int chain) {
    return new IdleLog(medium.location(), lsn, chain);
  }

  /** The log of a heap that is opened for reading only: it accepts no record. */
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
