package io.everheap.engine;

import io.everheap.engine.alloc.ChunkFollower;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntrySink;
import io.everheap.engine.log.PartStream;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.ReplicationException;
import io.everheap.log.Terms;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Repeats the transactions of a primary on a replica, in their order. A transaction here is one of
 * the primary's, or several that follow one another, and stores the {@linkplain ReplicaPosition
 * position} behind the last of them. The replica's log is its own, so that recovery, checkpoints
 * and backups are those of any heap.
 *
 * <p>The order of the stores is that of the primary's commits, so what readers without a lock rely
 * on holds here too: a transaction stores its lines in the order in which they were stored to
 * first, and one of the primary's joins those before it only if it has no line in common with them.
 * Readers validate one version that all stripes share.
 *
 * <p>Used by one thread, the only one that changes the heap.
 */
public final class ReplicaApplier {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Most bytes of parts that are applied as one transaction, if it joins several. */
  private static final long MOST_JOINED = 8 << 10;

  /**
   * The limit of a transaction in such bytes: a word with its address takes 16 of them, and may
   * take a line of 64; the position takes one more.
   */
  private static final long LIMIT_IN_JOINED = 8;

  private final String location;
  private final HeapMemory memory;
  private final Transactions transactions;
  private final HomeSize size;
  private final ChunkFollower chunks;
  private final Signals signals;
  private final long mostJoined;
  private final Stores stores = new Stores();
  private final Joins joins = new Joins();
  private byte[] bytes = new byte[16 << 10];
  private long capacity;
  private long end; // of the highest word that the transaction stores

  ReplicaApplier(
      String location,
      Transactions transactions,
      HomeSize size,
      ChunkFollower chunks,
      Signals signals,
      long maxTransaction) {
    this.location = location;
    this.memory = transactions.memory();
    this.transactions = transactions;
    this.size = size;
    this.chunks = chunks;
    this.signals = signals;
    this.mostJoined = Math.min(MOST_JOINED, maxTransaction / LIMIT_IN_JOINED);
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
    return received -> {
      for (int next = 0; next < received.size(); ) {
        next = apply(line, received, next);
      }
    };
  }

  /** Applies the transaction at an index, and those behind it that may join it. */
  private int apply(long line, List<PartStream.Transaction> received, int first) {
    int behind;
    try {
      behind =
          transactions.call(
              () -> {
                transactions.wantSync(false);
                capacity = memory.getLong(HomeLayout.CAPACITY_ADDRESS);
                end = 0;
                int next = store(received, first);
                PartStream.Transaction last = received.get(next - 1);
                complete(new ReplicaPosition(line, last.lsn(), last.chain()));
                return next;
              });
    } catch (RuntimeException | Error e) {
      chunks.rolledBack();
      throw e;
    }
    chunks.afterCommit(capacity);
    signals.wakeAll();
    return behind;
  }

  /** Stores what is applied as one; returns the index behind it. */
  private int store(List<PartStream.Transaction> received, int first) {
    stores.alone = false;
    long joined = 0;
    int next = first;
    PartStream.Transaction transaction = received.get(next);
    do {
      if (!transaction.read(stores)) {
        throw CorruptException.log(
            location, transaction.lsn(), "a part has entries that no log has");
      }
      joined += transaction.bytes();
      if (++next == received.size()) {
        break;
      }
      transaction = received.get(next);
    } while (!stores.alone && joined + transaction.bytes() <= mostJoined && joins.may(transaction));
    return next;
  }

  /**
   * The random number that tells this replica from others; for any thread.
   *
   * @param created when its files were made; a copy that was restored elsewhere is another replica
   * @return 0 if it has none
   */
  public long identity(long created) {
    return transactions.exclusively(() -> ReplicaPosition.identity(memory, created));
  }

  /** Stores the number that {@link #identity} returns. */
  public void identify(long id, long created) {
    transactions.run(() -> ReplicaPosition.identify(memory, id, created));
  }

  /**
   * Begins to follow another line, at a place that has the state of this heap.
   *
   * @param start the place
   * @param term of the primary
   * @param ancestor of its line
   * @throws ReplicationException if no promotion gives that term
   */
  public void adopt(ReplicaPosition start, long term, ReplicaPosition.Ancestor ancestor) {
    transactions.run(
        () -> {
          Terms.requireCredible(ReplicaPosition.term(memory), term);
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

  /**
   * Throws if the heap never followed another one: with a new term, it would fence the primary that
   * it is.
   */
  public void requireReplica() {
    boolean never =
        transactions.exclusively(
            () ->
                ReplicaPosition.read(memory).line() == 0
                    && ReplicaPosition.ancestor(memory).end().line() == 0);
    if (never) {
      throw new ReplicationException(
          "The heap at "
              + location
              + " never was a replica: open it with Heap.open, which accepts changes.");
    }
  }

  /** Stores the entries of a transaction. */
  private final class Stores implements EntrySink {
    boolean alone; // no transaction joins

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
        alone = true;
        for (int i = 0; i < words; i++) {
          note(address + 8L * i, source.get(LONG, offset + 8L * i));
        }
      }
    }

    @Override
    public void fill(long address, long stride, long times, long value) {
      requireBehindSuperblocks(address);
      alone = true; // fills are stored before all lines
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

  /**
   * Whether a transaction may join those that were stored. One that would fail may not, so that it
   * fails alone.
   */
  private final class Joins implements EntrySink {
    private boolean may;

    boolean may(PartStream.Transaction transaction) {
      may = true;
      return transaction.read(this) && may;
    }

    @Override
    public void run(long address, MemorySegment source, long offset, int words) {
      int length = 8 * words;
      may &=
          address >= HomeLayout.CATALOG_ADDRESS
              && address + length <= capacity
              && !chunks.mayChange(address, length)
              && !memory.isTouched(address, length);
    }

    @Override
    public void fill(long address, long stride, long times, long value) {
      may = false;
    }
  }

  private void requireBehindSuperblocks(long address) {
    if (address < HomeLayout.CATALOG_ADDRESS) {
      throw CorruptException.log(location, address, "the primary's log changes a superblock");
    }
  }

  /** Ends the stores of a transaction. */
  private void complete(ReplicaPosition position) {
    size.follow(capacity);
    if (end > size.allocated()) {
      throw CorruptException.log(
          location, end, "the primary's log changes bytes behind the home image");
    }
    chunks.beforeCommit(capacity);
    position.write(memory);
    ReplicaPosition.dropDecision(memory);
    memory.noteFree(); // perhaps: readers of objects look at headers again
  }
}
