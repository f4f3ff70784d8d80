package io.everheap.engine.log;

import io.everheap.log.GroupCommit;
import io.everheap.error.PoisonedException;
import io.everheap.error.HeapClosedException;
import io.everheap.log.RecordBuffer;

/** A log that takes records: seals one part after the other. */
abstract class PartLog extends Log {
  final PartSealer sealer;
  private int open = -1; // room of the open part

  PartLog(PartSealer sealer) {
    this.sealer = sealer;
  }

  /** The exceptions of a heap whose log ended. */
  static GroupCommit.Refusals refusals(String location) {
    return new GroupCommit.Refusals(location, HeapClosedException::new, PoisonedException::new);
  }

  /**
   * Makes room for a part behind the last one.
   *
   * @param bytes most that it will take
   * @return what it takes with padding
   */
  abstract int place(int bytes);

  /**
   * Seals the part in the buffer at the place that was made.
   *
   * @param length in bytes
   * @param flags {@link PartLayout#MORE} or 0
   * @return the LSN after it
   */
  abstract long seal(int length, int flags);

  @Override
  public final int openPart(int bytes) {
    if (bytes < PartLayout.HEADER_SIZE || bytes > PartLayout.MAX_PART) {
      throw new IllegalArgumentException("a part of " + bytes + " bytes");
    }
    open = place(bytes);
    return 0;
  }

  @Override
  public final RecordBuffer buffer() {
    return sealer.buffer();
  }

  @Override
  public final long closePart(int length, boolean more) {
    if (length < PartLayout.HEADER_SIZE || length > open) {
      throw new IllegalArgumentException(length + " bytes in a part of " + open);
    }
    open = -1;
    return seal(length, more ? PartLayout.MORE : 0);
  }

  @Override
  public final int chain() {
    return sealer.chain();
  }
}
