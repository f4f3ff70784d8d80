package io.everheap.durable.type;

import io.everheap.engine.tx.Transactions;

/**
 * The number of a version in the type table, assigned when the first object of the version is made.
 * A rollback removes the number again, so it is cached only after the commit.
 *
 * <p>Any thread may call {@link #known} and {@link #found}; {@link #get} belongs to the writer.
 */
public final class TypeNumber {
  private final StoredTypes table;
  private final Transactions transactions;
  private final String text;

  /** 0 until the number is committed. */
  private volatile long committed;

  /** The number within the transaction {@link #serial}; guarded by the writer lock. */
  private long pending;

  /** The transaction in which {@link #pending} is valid; guarded by the writer lock. */
  private long serial;

  TypeNumber(StoredTypes table, Transactions transactions, String text) {
    this.table = table;
    this.transactions = transactions;
    this.text = text;
  }

  /** Returns the number, inside a transaction; adds the version to the table if it is missing. */
  public long get() {
    long known = committed;
    return known != 0 ? known : find();
  }

  /** Returns the number if it is known to be committed; else 0, which no version has. */
  public long known() {
    return committed;
  }

  /** Caches a number that was read from the heap outside of a transaction. */
  public void found(long number) {
    committed = number;
  }

  private long find() {
    long now = transactions.serial();
    long known = pending; // the abort hook of an ended transaction may clear it concurrently
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
