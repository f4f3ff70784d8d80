package io.everheap.durable.runtime;

import io.everheap.durable.handle.ObjectWrites;
import io.everheap.engine.tx.Transactions;
import io.everheap.stability.Evolving;

/**
 * Begins and ends the transactions of methods that are {@link io.everheap.durable.Atomic}.
 *
 * @since 0.9
 */
@Evolving
public final class AtomicCalls {
  private AtomicCalls() {}

  /** Begins a transaction, or a level of the running one. */
  public static void begin(DurableObject of) {
    ObjectWrites.transactions(of).begin();
  }

  /** Ends the transaction and keeps what was stored. */
  public static void commit(DurableObject of) {
    Transactions transactions = ObjectWrites.transactions(of);
    transactions.lock.endsDue++;
    transactions.end(true);
  }

  /** Ends the transaction and undoes what was stored. */
  public static void rollback(DurableObject of, Throwable cause) {
    Transactions transactions = ObjectWrites.transactions(of);
    transactions.lock.endsDue++;
    transactions.rollBack(cause);
  }

  /**
   * Returns the first argument that is an object, whose heap a static method uses.
   *
   * @throws NullPointerException if all are null
   */
  public static DurableObject first(Object[] arguments) {
    for (Object argument : arguments) {
      if (argument instanceof DurableObject object) {
        return object;
      }
      if (argument != null) {
        throw new IllegalArgumentException(
            argument.getClass().getName() + " is not an object of a heap");
      }
    }
    throw new NullPointerException(
        "all durable arguments are null, so it is unknown which heap the transaction is for");
  }
}
