package io.everheap;

import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.OutsideTransactionException;
import io.everheap.stability.Stable;
import java.util.Objects;

/**
 * The transaction that the calling thread runs. It belongs to that thread and ends with the body
 * that was given to {@link Heap#transact}; used elsewhere or later, it throws {@link
 * OutsideTransactionException}.
 *
 * @since 0.9
 */
@Stable
public final class Transaction {
  private final Transactions transactions;
  private final Thread owner = Thread.currentThread();
  private final long serial;

  Transaction(Transactions transactions) {
    this.transactions = transactions;
    this.serial = transactions.serial();
  }

  /**
   * Runs {@code hook} after the outermost transaction has committed and, if it waits for
   * durability, is durable: in this thread, or after {@link Heap#transactAsync} in the thread that
   * completes its stage. A rollback of the nesting level that registered the hook drops it. An
   * exception of the hook is thrown to the caller of {@code transact}; the commit stands.
   */
  public void onCommit(Runnable hook) {
    check();
    transactions.onCommit(Objects.requireNonNull(hook, "hook"));
  }

  /** Runs {@code hook} in this thread after the nesting level that registered it is rolled back. */
  public void onAbort(Runnable hook) {
    check();
    transactions.onAbort(Objects.requireNonNull(hook, "hook"));
  }

  /** Sets the durability of the transaction that this thread runs. */
  static void want(Durability wanted, Transactions transactions, Log log) {
    transactions.wantSync(wanted instanceof Durability.Sync);
    if (wanted instanceof Durability.Async async) {
      long nanos = async.interval().toNanos();
      transactions.onCommit(() -> log.syncWithin(nanos));
    }
  }

  private void check() {
    if (!transactions.isWriter() || transactions.serial() != serial) {
      throw OutsideTransactionException.thread(owner.toString());
    }
  }
}
