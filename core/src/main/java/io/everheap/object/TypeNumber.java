package io.everheap.object;

import io.everheap.engine.tx.Transactions;
import io.everheap.object.type.StoredTypes;

/**
 * The number of a version in the type table, which gets it with the first object. A rollback takes
 * the number away again, so it is remembered for good only once it was committed.
 */
final class TypeNumber {
  private final StoredTypes table;
  private final Transactions transactions;
  private final String text;

  /** 0 until it was committed. */
  private volatile long committed;

  /** Of the transaction that has the serial; guarded by the writer lock. */
  private long pending;

  private long serial;

  TypeNumber(StoredTypes table, Transactions transactions, String text) {
    this.table = table;
    this.transactions = transactions;
    this.text = text;
  }

  /** The number, inside a transaction; the version is added if it is not there. */
  long get() {
    long known = committed;
    return known != 0 ? known : find();
  }

  /** The number if it is known to be committed; else 0, which is nobody's. */
  long known() {
    return committed;
  }

  /** Someone outside of a transaction found it in the heap. */
  void found(long number) {
    committed = number;
  }

  private long find() {
    long now = transactions.serial();
    long known = pending; // the hook of a transaction that ended may come late
    if (known != 0 && serial == now) {
      return known;
    }
    long number = table.number(text);
    serial = now;
    pending = number;
    transactions.onAbort(() -> pending = 0);
    transactions.onCommit(() -> committed = number);
    return number;
  }
}
