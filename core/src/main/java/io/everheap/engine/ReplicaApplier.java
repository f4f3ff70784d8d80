package io.everheap.engine;

import io.everheap.engine.alloc.ChunkFollower;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntrySink;
import io.everheap.engine.log.PartStream;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptLogException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Repeats the transactions of a primary on a replica, each as one transaction, which also stores
 * the {@linkplain ReplicaPosition position}. The replica's log is its own, so that recovery,
 * checkpoints and backups are those of any heap.
 *
 * <p>The order of the stores is that of the primary's commit, so what readers without a lock rely
 * on holds here too. They validate one version that all stripes share.
 *
 * <p>Used by one thread, the only one that changes the heap.
 */
public final class ReplicaApplier {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String location;
  private final HeapMemory memory;
  private final Transactions transactions;
  private final HomeSize size;
  private final ChunkFollower chunks;
  private final Signals signals;
  private final Stores stores = new Stores();
  private byte[] bytes = new byte[16 << 10];
  private long capacity;
  private long end; // of the highest word that the transaction stores

  ReplicaApplier(
      String location,
      Transactions transactions,
      HomeSize size,
      ChunkFollower chunks,
      Signals signals) {
    this.location = location;
    this.memory = transactions.memory();
    this.transactions = transactions;
    this.size = size;
    this.chunks = chunks;
    this.signals = signals;
  }

  /** Makes the calling thread the only one that may change the heap. */
  public void begin() {
    transactions.setApplier(Thread.currentThread());
  }

  /** The position; for any thread. */
  public ReplicaPosition position() {
    return transactions.exclusively(() -> ReplicaPosition.read(memory));
  }

  /** Applies the transactions of a primary whose log is this line; they are not durable yet. */
  public PartStream.Receiver receiver(long line) {
    return (entries, lsn, chain) -> {
      try {
        transactions.run(
            () -> {
              transactions.wantSync(false);
              capacity = memory.getLong(HomeLayout.CAPACITY_ADDRESS);
              end = 0;
              entries.accept(stores);
              complete(new ReplicaPosition(line, lsn, chain));
            });
      } catch (RuntimeException | Error e) {
        chunks.rolledBack();
        throw e;
      }
      chunks.afterCommit(capacity);
      signals.wakeAll();
    };
  }

  /**
   * Begins to follow another line, at a place that has the state of this heap.
   *
   * @param start the place
   * @param term of the primary
   * @param ancestor of its line
   */
  public void adopt(ReplicaPosition start, long term, ReplicaPosition.Ancestor ancestor) {
    transactions.run(
        () -> {
          start.write(memory);
          ReplicaPosition.writeTerm(memory, term);
          ancestor.write(memory);
        });
  }

  /**
   * Decides, durably, that the next opening of the heap promotes it.
   *
   * @return its new term
   */
  public long decidePromotion() {
    return transactions.call(
        () -> {
          transactions.wantSync(true);
          return ReplicaPosition.decide(memory);
        });
  }

  /** Stores the entries of a transaction. */
  private final class Stores implements EntrySink {
    @Override
    public void run(long address, MemorySegment source, long offset, int words) {
      requireBehindSuperblocks(address);
      int length = 8 * words;
      if (length > bytes.length) {
        bytes = new byte[length];
      }
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
      memory.putBytes(0, address, bytes, 0, length);
      end = Math.max(end, address + length);
      if (chunks.mayChange(address, length)) { // else it is in blocks
        for (int i = 0; i < words; i++) {
          note(address + 8L * i, source.get(LONG, offset + 8L * i));
        }
      }
    }

    @Override
    public void fill(long address, long stride, long times, long value) {
      requireBehindSuperblocks(address);
      memory.touch(0);
      memory.fillWords(address, (int) stride, (int) times, value);
      end = Math.max(end, address + (times - 1) * stride + 8);
    }

    /** Fills are headers of slots, and nothing of what is noted here. */
    private void note(long address, long value) {
      chunks.store(address, value);
      if (address == HomeLayout.CAPACITY_ADDRESS) {
        capacity = value;
      }
    }
  }

  private void requireBehindSuperblocks(long address) {
    if (address < HomeLayout.CATALOG_ADDRESS) {
      throw new CorruptLogException(location, address, "the primary's log changes a superblock");
    }
  }

  /** Ends the stores of a transaction. */
  private void complete(ReplicaPosition position) {
    size.follow(capacity);
    if (end > size.allocated()) {
      throw new CorruptLogException(
          location, end, "the primary's log changes bytes behind the home image");
    }
    chunks.beforeCommit(capacity);
    position.write(memory);
    ReplicaPosition.dropDecision(memory);
    memory.noteFree(); // perhaps: readers of objects look at headers again
  }
}
