package io.everheap.object;

import io.everheap.engine.tx.Transactions;

/**
 * The transactions of {@link Atomic} methods. It is public for the classes that the library
 * generates and weaves.
 */
public final class AtomicCalls {
  private AtomicCalls() {}

  /** Begins a transaction, or a level of the running one. */
  public static void begin(DurableObject of) {
    of.memory().transactions().begin();
  }

  /** Ends it and keeps what was stored. */
  public static void commit(DurableObject of) {
    Transactions transactions = of.memory().transactions();
    transactions.lock.endsDue++;
    transactions.end(true);
  }

  /** Ends it and undoes what was stored. */
  public static void rollback(DurableObject of, Throwable cause) {
    Transactions transactions = of.memory().transactions();
    transactions.lock.endsDue++;
    transactions.rollBack(cause);
  }

  /**
   * The first argument that is an object, whose heap a static method uses.
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
            argument.getClass().getName() + " is no object of a heap");
      }
    }
    throw new NullPointerException("no object says which heap the transaction is for");
  }
}
