package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.ImageMemory;
import io.everheap.engine.log.KeptLog;
import io.everheap.error.EverheapException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.memory.MemoryMedium;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Transactions over a home image in memory and a {@link KeptLog}. It keeps a second image, to which
 * only the records of the log are applied: {@link #requireReplayed} compares both.
 */
final class TransactionsRig implements AutoCloseable {
  static final int EXTENT_SHIFT = HomeLayout.MIN_EXTENT_SHIFT;
  static final long CAPACITY = 3L << EXTENT_SHIFT;

  /** An address that is the first of a line. */
  static final long AT = HomeLayout.CHUNK_SIZE;

  final MemoryMedium medium = new MemoryMedium();
  final Home home;
  final KeptLog log = new KeptLog();
  final Monitor monitor = new Monitor();
  final Participant participant = new Participant();
  final Transactions transactions;
  final HeapMemory memory;
  private final MemorySegment replayed = MemorySegment.ofArray(new long[(int) (CAPACITY / 8)]);

  TransactionsRig() {
    this(1 << 24, 60_000_000_000L, true, false);
  }

  TransactionsRig(long maxBytes, long lockTimeout, boolean sync, boolean replica) {
    home =
        new Home(
            medium, medium.create("heap"), EXTENT_SHIFT, CAPACITY, ImageMemory.of(Long.MAX_VALUE));
    home.map(CAPACITY);
    home.putLong(HomeLayout.CAPACITY_ADDRESS, CAPACITY);
    replayed.set(ValueLayout.JAVA_LONG, HomeLayout.CAPACITY_ADDRESS, CAPACITY);
    transactions = new Transactions(home, log, monitor, maxBytes, lockTimeout, sync, replica);
    transactions.setParticipant(participant);
    memory = transactions.memory();
  }

  /** Stores words before the first transaction, as if earlier ones had. */
  void fillHome(long from, long to, Words words) {
    for (long address = from; address < to; address += 8) {
      home.putLong(address, words.at(address));
      replayed.set(ValueLayout.JAVA_LONG, address, words.at(address));
    }
  }

  interface Words {
    long at(long address);
  }

  void transact(Runnable body) {
    transactions.begin();
    body.run();
    transactions.lock.endsDue++;
    transactions.end(true);
  }

  void rolledBack(Runnable body) {
    transactions.begin();
    body.run();
    transactions.lock.endsDue++;
    transactions.end(false);
  }

  /** Commits what is running. */
  void commit() {
    transactions.lock.endsDue++;
    transactions.end(true);
  }

  void rollBack() {
    transactions.lock.endsDue++;
    transactions.end(false);
  }

  /** The records of the log, applied to the image before them, give the image after them. */
  void requireReplayed() {
    for (KeptLog.Entry entry : log.entries()) {
      for (int i = 0; i < entry.words().size(); i++) {
        replayed.set(
            ValueLayout.JAVA_LONG, entry.address() + i * entry.stride(), entry.words().get(i));
      }
    }
    long extent = 1L << EXTENT_SHIFT;
    for (long start = 0; start < CAPACITY; start += extent) {
      long at = home.mapped(start).segment().mismatch(replayed.asSlice(start, extent));
      assertThat(at < 0 ? -1 : start + at).as("address that differs").isEqualTo(-1);
    }
    log.clear();
  }

  void requireFree() {
    assertThat(transactions.isWriter()).isFalse();
    assertThat(transactions.lock.isHeld()).isFalse();
    assertThat(transactions.lock.endsDue).isZero();
  }

  @Override
  public void close() {
    transactions.close();
    log.close();
    home.unmap(() -> new IllegalStateException("closed"));
    medium.close();
  }

  /** Notes its calls. */
  static final class Monitor implements CommitMonitor {
    final List<Long> committed = new ArrayList<>();
    final List<Throwable> poisonedBy = new ArrayList<>();
    final EverheapException poisoned = OutsideTransactionException.required();
    Runnable awaitGate = () -> {};
    Runnable checkReadable = () -> {};
    int gateCalls;

    @Override
    public void awaitGate() {
      gateCalls++;
      awaitGate.run();
    }

    @Override
    public void checkReadable() {
      checkReadable.run();
    }

    @Override
    public void committed(long lsn) {
      committed.add(lsn);
    }

    @Override
    public void poison(Throwable cause) {
      poisonedBy.add(cause);
    }

    @Override
    public EverheapException poisoned() {
      return poisoned;
    }
  }

  /** Has the fresh and freed blocks that a test gives it, and notes its calls. */
  static final class Participant implements CommitParticipant {
    final List<String> calls = new ArrayList<>();
    Runnable prepare = () -> {};
    Consumer<FreshBlocks> fresh = sink -> {};
    Consumer<FreedBlocks> freed = sink -> {};
    Runnable applied = () -> {};
    Runnable rollback = () -> {};
    boolean torn;
    int mark;

    @Override
    public void freed(FreedBlocks sink) {
      freed.accept(sink);
    }

    @Override
    public void prepare() {
      calls.add("prepare");
      prepare.run();
    }

    @Override
    public void fresh(FreshBlocks sink) {
      fresh.accept(sink);
    }

    @Override
    public void applied() {
      calls.add("applied");
      applied.run();
    }

    @Override
    public boolean isTorn() {
      return torn;
    }

    @Override
    public int mark() {
      return mark;
    }

    @Override
    public void rollbackTo(int to) {
      calls.add("rollback to " + to);
      rollback.run();
    }

    @Override
    public void reset() {
      calls.add("reset");
      fresh = sink -> {};
      freed = sink -> {};
    }
  }
}
