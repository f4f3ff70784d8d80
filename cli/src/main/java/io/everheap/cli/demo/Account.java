package io.everheap.cli.demo;

import io.everheap.durable.Durable;

/** An account of the bank: an object in the heap, changed in place. */
@Durable(name = "demo.Account")
interface Account {
  /** The branch that keeps it. */
  long branch();

  /** Sets the branch. */
  void branch(long id);

  /** The balance. */
  long balance();

  /** Sets the balance. */
  void balance(long amount);

  /** Padding of the row to about 100 bytes, as TPC-B requires. */
  String filler();

  /** Sets the filler. */
  void filler(String text);

  /** Adds to the balance, or takes from it. */
  default void deposit(long delta) {
    balance(balance() + delta);
  }
}
