package io.everheap.engine.log;

import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import io.everheap.log.LogSeed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The log of another heap as it arrives: consecutive parts, which are validated exactly as a
 * recovery does, so that nothing but what that heap wrote is accepted. Passes on whole transactions
 * only. Used by one thread.
 */
public final class PartStream {
  /** Receives transactions. */
  @FunctionalInterface
  public interface Receiver {
    /** Whole transactions, in their order; at least one. */
    void transactions(List<Transaction> received);
  }

  /**
   * A whole transaction.
   *
   * @param parts of it
   * @param lsn behind it
   * @param chain CRC of its last part
   */
  public record Transaction(List<MemorySegment> parts, long lsn, int chain) {
    /**
     * Passes the entries to a sink, in their order.
     *
     * @return whether all of them are well-formed; if not, the sink got those before the first one
     *     that is not
     */
    public boolean read(EntrySink sink) {
      for (MemorySegment part : parts) {
        if (!EntryReader.read(part, 0, (int) part.byteSize(), sink)) {
          return false;
        }
      }
      return true;
    }

    /** The size of the parts. */
    public long bytes() {
      long bytes = 0;
      for (MemorySegment part : parts) {
        bytes += part.byteSize();
      }
      return bytes;
    }
  }

  private final String from;
  private final long epoch;
  private final Receiver receiver;
  private final List<MemorySegment> begun = new ArrayList<>(); // parts of one transaction
  private final PartCheck check;
  private long most = Long.MAX_VALUE; // bytes of a transaction
  private long begunBytes;
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

  /** Sets the most bytes of the parts of one transaction, which are held in memory. */
  public PartStream limit(long bytes) {
    most = bytes;
    return this;
  }

  /**
   * The LSN behind the transactions of the last {@link #accept} that returned; that of the start if
   * there was none.
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
   * @throws CorruptException if they are not the continuation of the log; transactions before the
   *     first part that is not may have been passed on
   * @throws ReplicationException if a transaction is longer than the {@linkplain #limit limit}
   */
  public void accept(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    List<Transaction> whole = new ArrayList<>();
    boolean good = true;
    int at = 0;
    while (good && at < bytes.length) {
      int field = check.field(b, at, bytes.length, lsn, chain);
      good = field != 0;
      if (good) {
        int length = PartLayout.length(field);
        chain = b.getInt(at);
        lsn += length;
        if ((field & PartLayout.PAD) == 0) {
          begun.add(segment.asSlice(at, length)); // the array stays
          begunBytes += length;
          requireWithinLimit();
          if ((field & PartLayout.MORE) == 0) {
            whole.add(new Transaction(List.copyOf(begun), lsn, chain));
            begun.clear();
            begunBytes = 0;
          }
        }
        at += length;
      }
    }
    if (!whole.isEmpty()) {
      receiver.transactions(whole);
      committed = whole.getLast().lsn;
    }
    if (!good) {
      throw CorruptException.log(from, lsn, "what was received is not the continuation of the log");
    }
  }

  private void requireWithinLimit() {
    if (begunBytes > most) {
      begun.clear();
      throw new ReplicationException(
          from
              + " sent a transaction of more than "
              + most
              + " bytes: give the replica the primary's maxTransaction.");
    }
  }
}
