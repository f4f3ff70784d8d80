package io.everheap.engine.log;

import io.everheap.error.CorruptLogException;
import io.everheap.log.LogSeed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The log of another heap as it arrives: consecutive parts, which are validated exactly as a
 * recovery does, so that nothing but what that heap wrote is accepted. Passes on whole transactions
 * only. Used by one thread.
 */
public final class PartStream {
  /** Receives transactions. */
  public interface Receiver {
    /**
     * A whole transaction.
     *
     * @param entries passes its entries to a sink, in their order
     * @param lsn behind it
     * @param chain CRC of its last part
     */
    void transaction(Consumer<EntrySink> entries, long lsn, int chain);
  }

  private final String from;
  private final long epoch;
  private final Receiver receiver;
  private final List<MemorySegment> begun = new ArrayList<>(); // parts of one transaction
  private final PartCheck check;
  private long lsn;
  private int chain;
  private long committed;

  /**
   * Creates a stream.
   *
   * @param from name of the sender, for messages
   * @param heap uuid
   * @param start the epoch, and the place at which the stream begins
   */
  public PartStream(String from, UUID heap, EpochStart start, Receiver receiver) {
    this.from = from;
    this.epoch = start.epoch();
    this.receiver = receiver;
    this.check = new PartCheck(LogSeed.key(heap, start.epoch()));
    this.lsn = start.lsn();
    this.committed = lsn;
    this.chain = start.chain();
  }

  /**
   * The LSN behind the last transaction that was passed on; that of the start if there was none.
   */
  public long committed() {
    return committed;
  }

  /** The epoch of the log. */
  public long epoch() {
    return epoch;
  }

  /** The LSN behind what was accepted. */
  public long lsn() {
    return lsn;
  }

  /**
   * Accepts parts.
   *
   * @param bytes whole parts
   * @throws CorruptLogException if they are not the continuation of the log
   */
  public void accept(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    int at = 0;
    while (at < bytes.length) {
      int field = check.field(b, at, bytes.length, lsn, chain);
      if (field == 0) {
        throw new CorruptLogException(
            from, lsn, "what was received is not the continuation of the log");
      }
      int length = PartLayout.length(field);
      chain = b.getInt(at);
      lsn += length;
      if ((field & PartLayout.PAD) == 0) {
        part(segment.asSlice(at, length), (field & PartLayout.MORE) != 0);
      }
      at += length;
    }
  }

  private void part(MemorySegment part, boolean more) {
    if (more) {
      begun.add(part); // the array stays
      return;
    }
    begun.add(part);
    receiver.transaction(this::read, lsn, chain);
    committed = lsn;
    begun.clear();
  }

  private void read(EntrySink sink) {
    for (MemorySegment part : begun) {
      if (!EntryReader.read(part, 0, (int) part.byteSize(), sink)) {
        throw new CorruptLogException(from, lsn, "a part has entries that no log has");
      }
    }
  }
}
